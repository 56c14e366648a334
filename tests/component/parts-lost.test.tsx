import { act, render, screen } from '@testing-library/react';
import { Islands } from '@/components/islands/islands';

jest.mock('@/components/fixtures/live-scores-now', () => {
  throw Object.assign(new Error('Loading chunk 6145 failed.'), { name: 'ChunkLoadError' });
});

it('an island whose script cannot be fetched leaves the page as the server wrote it, and is told as an error', async () => {
  const told = jest.fn();
  window.reportError = told;
  document.body.insertAdjacentHTML(
    'beforeend',
    '<section data-island="live scores" data-props="{}"><p>Rovers 1 Town 0</p></section>',
  );
  render(
    <>
      <h1>Football</h1>
      <Islands />
    </>,
  );
  await act(async () => {
    await new Promise((resolve) => setTimeout(resolve, 0));
  });
  expect(told.mock.calls).toEqual([[expect.objectContaining({ name: 'ChunkLoadError' })]]);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Football');
  expect(screen.getByText('Rovers 1 Town 0')).toBeInTheDocument();
});
