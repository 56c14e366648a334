import { render, screen } from '@testing-library/react';
import { EnteredList } from '@/components/admin/entered-list';

const fixtures = [{ reference: 'corby-v-ashby', name: 'Corby v Ashby', startsAt: '2026-05-20T15:00:00.000Z' }];

it('leads to what a feed told of a name, and says when there is more than it shows', () => {
  const { rerender } = render(<EnteredList fixtures={fixtures} total={1} feed="openfootball" timeZone="UTC" />);
  expect(screen.getByRole('heading', { name: 'What openfootball has told of it' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Corby v Ashby' })).toHaveAttribute('href', '/admin/fixtures/corby-v-ashby');
  rerender(<EnteredList fixtures={fixtures} total={80} feed="openfootball" timeZone="UTC" />);
  expect(screen.getByRole('heading', { name: /the last 1 of 80$/ })).toBeVisible();
});
