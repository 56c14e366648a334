import { render, screen } from '@testing-library/react';
import { LastEntry } from '@/components/record/last-entry';
import type { LedgerEntry } from '@/lib/record/schema';

const entry = {
  sequence: 15_994,
  at: '2026-03-07T10:00:00.000Z',
  hash: `86b12870${'0'.repeat(52)}df29`,
} as LedgerEntry;

it('the last entry of the ledger says how far the record has come, and leads to it', () => {
  render(<LastEntry entry={entry} timeZone="Europe/London" />);
  expect(screen.getByRole('link', { name: '15,994' })).toHaveAttribute('href', '/ledger');
  expect(screen.getByText('Sat 7 Mar 2026, 10:00')).toBeVisible();
  expect(screen.getByText('86b12870…df29')).toHaveAttribute('title', entry.hash);
});

it('an empty ledger claims nothing', () => {
  expect(render(<LastEntry entry={null} timeZone="Europe/London" />).container).toBeEmptyDOMElement();
});
