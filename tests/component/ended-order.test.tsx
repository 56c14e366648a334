import { render, screen } from '@testing-library/react';
import { act } from 'react';
import { ProductProcessing } from '@/components/memberships/product-processing';
import type { OrderView } from '@/lib/memberships/schema';
import { showMember } from '@/components/state/viewer';
import { Role } from '@/lib/reference/schema';
import { settings, user } from '../support/member-answers';
import { order, terms } from '../support/order-views';

const api = jest.fn<Promise<OrderView>, []>();
const heard = new Map<string, () => void>();
jest.mock('@/components/state/api', () => ({ api: () => api() }));
jest.mock('@/components/state/live', () => ({
  watchTopic: (topic: string, listener: () => void) => {
    heard.set(topic, listener);
    return () => heard.delete(topic);
  },
}));

beforeEach(() => api.mockReset());

const show = (more: Partial<OrderView>) =>
  act(async () => void render(<ProductProcessing order="abcdefghjk" first={{ ...order, ...more }} />));

test.each([
  [1806, 'Your membership of Ann Football has ended. £18.06 of this payment goes back to the card that you paid with.'],
  [0, /^Your membership of Ann Football has ended\.$/],
])('the order of a membership that has ended, with %i back, says so', async (givenBackMinor, said) => {
  await show({ runs: false, givenBackMinor, terms: { ...terms, coupon: 'SPRING', couponPeriods: 1 } });
  expect(screen.getByRole('status')).toHaveTextContent(said);
  expect(screen.queryByRole('link', { name: 'Read the tips' })).toBeNull();
  // The coupon was used.
  expect(screen.getByRole('link', { name: 'Join again' })).toHaveAttribute(
    'href',
    '/dashboard/checkout/ann?period=month',
  );
});

test('the order of a membership that ended with its portfolio does not ask one to join again', async () => {
  await show({ runs: false, closed: true });
  expect(screen.getByText('The portfolio was closed and takes no members.')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Join again' })).toBeNull();
});

test('the order of a membership that runs says that one is a member, though a part of it went back', async () => {
  await show({ givenBackMinor: 500 });
  expect(screen.getByRole('status')).toHaveTextContent('You are a member of Ann Football.');
});

test.each([
  ['of a portfolio', 'Ann Football', 'ann'],
  ['of Pro', 'Tipledger Pro', null],
])(
  'the order %s that is open when its membership ends says so at once',
  async (_, portfolioName, portfolioReference) => {
    act(() => showMember(Role.user, { user, settings, portfolios: [] }));
    const paid = { portfolioName, portfolioReference, reference: `order-of-${portfolioName}` };
    await act(async () => void render(<ProductProcessing order={paid.reference} first={{ ...order, ...paid }} />));
    expect(screen.getByRole('status')).toHaveTextContent(`You are a member of ${portfolioName}.`);
    expect(api).not.toHaveBeenCalled();
    api.mockResolvedValue({ ...order, ...paid, runs: false, closed: true });
    await act(async () => heard.get('account')?.());
    expect(await screen.findByText(`Your membership of ${portfolioName} has ended.`)).toBeVisible();
    expect(api).toHaveBeenCalledTimes(1);
  },
);
