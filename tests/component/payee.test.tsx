import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { PayeePart } from '@/components/money/payee-part';
import type { Payee } from '@/lib/money/schema';

const ready: Payee = { known: true, transfers: true, charges: false, payouts: true, needed: [], isLost: false };
const part = (payee: Payee | 'unknown', isLinkOver = false) =>
  render(<PayeePart payee={payee} portfolio="ann" country="Ireland" isLinkOver={isLinkOver} />);

test.each([
  [{ ...ready, known: false, transfers: false }, /It opens an account for you in Ireland/, 'Set up payouts at Stripe'],
  [
    {
      ...ready,
      transfers: false,
      needed: ['external_account', 'individual.dob.day', 'individual.dob.month', 'odd.thing_x'],
    },
    /a payout would be refused.*a bank account.*your date of birth.*odd thing x/,
    'Continue at Stripe',
  ],
  [{ ...ready, payouts: false, needed: ['external_account'] }, /Stripe holds them until/, 'Continue at Stripe'],
  [{ ...ready, transfers: false }, /Stripe is reviewing your details/, 'Continue at Stripe'],
  [ready, /Ready.*Stripe pays them on to your bank/, null],
  [{ ...ready, isLost: true, transfers: false }, /Write to us/, null],
  ['unknown', /Stripe does not answer/, null],
] as const)('says how far an owner has come with being paid, and leads on: %#', (payee, words, button) => {
  const { container } = part(payee as Payee | 'unknown');
  expect(container).toHaveTextContent(words);
  expect(screen.queryByRole('button')?.textContent ?? null).toBe(button);
});

test('a link that is used up is told, and what is refused is said beside the button', async () => {
  const fetched = jest.fn((_: unknown) => Promise.reject(new Error('no way')));
  const before = globalThis.fetch;
  globalThis.fetch = fetched;
  part({ ...ready, known: false }, true);
  expect(screen.getByText(/was used or has expired/)).toBeInTheDocument();
  fireEvent.click(screen.getByRole('button', { name: 'Set up payouts at Stripe' }));
  await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(2));
  globalThis.fetch = before;
});
