import { fireEvent, render, screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { ClosedEarnings } from '@/components/money/closed-earnings';
import { EarningsTables } from '@/components/money/earnings-tables';
import { MonthlyPayouts } from '@/components/money/monthly-payouts';
import { PayoutForm } from '@/components/money/payout-form';
import { PayoutPart } from '@/components/money/payout-part';
import { PayoutTable } from '@/components/money/payout-table';
import type { EarningBalance, Earnings } from '@/lib/memberships/schema';
import type { OwnPayout } from '@/lib/money/schema';

const balance: EarningBalance = {
  currencyId: 1,
  heldMinor: 700,
  payableMinor: 3000,
  onTheWayMinor: 140_000,
  paidMinor: 2500,
};
const balances = [balance];
const at = '2026-03-20T12:00:00.000Z';
const payout = (status: OwnPayout['status'], amountMinor: number, because: string | null = null): OwnPayout => ({
  at,
  changedAt: '2026-03-22T12:00:00.000Z',
  currencyId: 1,
  amountMinor,
  status,
  because,
});
const payouts = [
  payout('asked', 140_000),
  payout('approved', 5000),
  payout('paid', 2500),
  payout('failed', 2600, 'Your payout account is closed'),
];
const month: Earnings['months'][number] = {
  month: '2026-03',
  period: 'month',
  currencyId: 1,
  sales: 1,
  soldMinor: 2000,
  discountMinor: 0,
  refundedMinor: 0,
  chargedBackMinor: 0,
  feeMinor: 600,
  affiliateMinor: 0,
  earnedMinor: 1400,
  postings: [
    {
      at,
      kind: 'fee',
      order: 'abcdefghjk',
      lines: [
        { account: 'clearing', currencyId: 1, amountMinor: 50 },
        { account: 'fees', currencyId: 1, amountMinor: -50 },
      ],
    },
    {
      at,
      kind: 'sale',
      order: 'abcdefghjk',
      lines: [
        { account: 'clearing', currencyId: 1, amountMinor: -2000 },
        { account: 'platform', currencyId: 1, amountMinor: 600 },
        { account: 'held', currencyId: 1, amountMinor: 1400 },
      ],
    },
  ],
  morePostings: 3,
};
const earnings: Earnings = {
  balances: [...balances],
  payouts: [],
  months: [month],
  members: { now: 1, new: 1, left: 0, leaving: 0, churnPercent: null },
  shares: [],
  promises: { kept: 0, missed: 0 },
};

test('payouts are listed with when they were requested, how much they are, where they stand, and why one failed', () => {
  render(<PayoutTable payouts={payouts} timeZone="Europe/London" />);
  const [asked, approved, paid, failed] = screen.getAllByRole('row').slice(1);
  expect(asked).toHaveTextContent('Fri 20 Mar 2026£1,400.00Staff check it first');
  expect(approved).toHaveTextContent('£50.00On its way');
  expect(paid).toHaveTextContent('£25.00Paid on Sun 22 Mar 2026');
  expect(failed).toHaveTextContent(
    'Failed on Sun 22 Mar 2026. Your payout account is closed. The amount is payable again.',
  );
});

const part = { portfolio: 'ann', balances, payouts: [], canAsk: true, timeZone: 'Europe/London' };

test('what is on its way stands beside what is payable', () => {
  render(<PayoutPart {...part} />);
  expect(screen.getByText('On its way').closest('div')).toHaveTextContent('£1,400.00');
});

test('a payout is offered from the least amount on, and says above which amount staff check it', () => {
  const payable = (payableMinor: number) => [{ ...balance, payableMinor }];
  const { rerender } = render(<PayoutPart {...part} balances={payable(2499)} />);
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.getByText('£24.99 is payable so far. Payouts start at £25.00.')).toBeInTheDocument();
  rerender(<PayoutPart {...part} balances={payable(2500)} />);
  expect(screen.getByRole('button', { name: 'Pay out £25.00' })).toBeInTheDocument();
  rerender(<PayoutPart {...part} balances={payable(100_000)} />);
  expect(screen.queryByText(/Staff check/)).toBeNull();
  rerender(<PayoutPart {...part} balances={payable(100_001)} />);
  expect(screen.getByText('Staff check payouts above £1,000.00 before they are paid.')).toBeInTheDocument();
  rerender(<PayoutPart {...part} balances={payable(100_001)} canAsk={false} />);
  expect(screen.queryByRole('button')).toBeNull();
});

test('a row of the earnings opens to its postings, and says how many more the file lists', () => {
  const html = renderToString(<EarningsTables earnings={earnings} timeZone="Europe/London" />);
  expect(html).toContain('<details');
  render(<EarningsTables earnings={earnings} timeZone="Europe/London" />);
  expect(screen.getByText('5 postings')).toBeInTheDocument();
  const [fee, sale] = screen.getAllByRole('listitem');
  expect(fee).toHaveTextContent(
    'Payment provider’s fee, from our share, Fri 20 Mar 2026, order abcdefghjkProvider£0.50',
  );
  expect(sale).toHaveTextContent('Price£20.00Our share£6.00Your share£14.00');
  expect(screen.getByText('The file below lists the other 3.')).toBeInTheDocument();
  expect(screen.queryByRole('columnheader', { name: 'Affiliates' })).toBeNull();
});

test('a share of Tipledger Pro opens to its postings, with what was taken back', () => {
  const posted = (kind: 'share' | 'share-back', amountMinor: number) => ({
    ...{ at, kind, order: 'abcdefghjk' },
    lines: [
      { account: 'pro', currencyId: 1 as const, amountMinor: -amountMinor },
      { account: 'payable', currencyId: 1 as const, amountMinor },
    ],
  });
  const shares: Earnings['shares'] = [
    {
      ...{ month: '2026-03', currencyId: 1, earnedMinor: 700 },
      postings: [posted('share-back', -350), posted('share', 1050)],
      morePostings: 1,
    },
  ];
  render(<EarningsTables earnings={{ ...earnings, months: [], shares }} timeZone="Europe/London" />);
  expect(screen.getByText('3 postings')).toHaveTextContent('behind March 2026, shares of Tipledger Pro');
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Share of Tipledger Pro taken back, Fri 20 Mar 2026, order abcdefghjkYour share−£3.50',
    'Share of Tipledger Pro, Fri 20 Mar 2026, order abcdefghjkYour share£10.50',
  ]);
});

test('what affiliates took of the fee has a column where they took something', () => {
  render(
    <EarningsTables earnings={{ ...earnings, months: [{ ...month, affiliateMinor: 500 }] }} timeZone="Europe/London" />,
  );
  expect(screen.getByRole('columnheader', { name: 'Affiliates' })).toBeInTheDocument();
  expect(screen.getByRole('cell', { name: '£5.00' })).toBeInTheDocument();
  expect(screen.getByText(/is paid from our fee/)).toBeInTheDocument();
});

test('a closed portfolio keeps its figures, its payouts and its file, and offers what is payable', () => {
  const closed = [{ reference: 'ann', name: 'Ann Football', balances, payouts }];
  const { rerender } = render(<ClosedEarnings closed={closed} canAsk timeZone="Europe/London" />);
  const part = within(screen.getByRole('region', { name: 'Ann Football' }));
  expect(part.getByRole('link', { name: 'Ann Football' })).toHaveAttribute('href', '/tipster/ann');
  expect(part.getByRole('button', { name: 'Pay out £30.00' })).toBeInTheDocument();
  expect(part.getByRole('button', { name: 'Download as CSV' })).toBeInTheDocument();
  expect(part.getByRole('row', { name: /Paid on/ })).toBeInTheDocument();
  rerender(<ClosedEarnings closed={closed} canAsk={false} timeZone="Europe/London" />);
  expect(screen.queryByRole('button', { name: /Pay out/ })).toBeNull();
  rerender(<ClosedEarnings closed={[]} canAsk timeZone="Europe/London" />);
  expect(screen.queryByRole('region')).toBeNull();
});

test.each([
  ['approved', 3000, '£30.00 is on its way.'],
  [
    'approved',
    2600,
    '£26.00 is on its way. The other £4.00 covers what refunds or chargebacks took from your other earnings.',
  ],
  ['asked', 3000, 'You have requested £30.00. Staff check it first, as it is above £1,000.00.'],
  ['found', 3000, 'We had already sent you £30.00, which was missing from this page.'],
  [
    'found',
    2600,
    'We had already sent you £26.00, which was missing from this page. Reload the page to request the other £4.00.',
  ],
] as const)(
  'a requested payout that is %s, of £30.00 payable %d pence, is said as it is',
  async (status, amountMinor, words) => {
    const body = JSON.stringify({ amountMinor, status });
    const answer = { ok: true, status: 200, statusText: '', headers: new Headers(), text: async () => body };
    global.fetch = jest.fn(async () => answer) as unknown as typeof fetch;
    render(<PayoutForm portfolio="ann" currencyId={1} payableMinor={3000} />);
    fireEvent.click(screen.getByRole('button', { name: 'Pay out £30.00' }));
    expect(await screen.findByText(words)).toBeInTheDocument();
  },
);

test('monthly payouts are off until one wants them, and are stopped by the same button', async () => {
  const sent: unknown[] = [];
  global.fetch = jest.fn(async (address: string | URL | Request, init?: RequestInit) => {
    const body = JSON.parse(String(init?.body));
    sent.push([init?.method, String(address), body]);
    return { ok: true, status: 200, statusText: '', headers: new Headers(), text: async () => JSON.stringify(body) };
  }) as unknown as typeof fetch;
  expect(renderToString(<MonthlyPayouts monthly={false} />)).toContain('You request each payout yourself.');
  render(<MonthlyPayouts monthly={false} />);
  fireEvent.click(screen.getByRole('button', { name: 'Pay me each month' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Stop monthly payouts' }));
  expect(await screen.findByRole('button', { name: 'Pay me each month' })).toBeEnabled();
  expect(sent).toEqual([
    ['PUT', '/api/user/payouts', { monthly: true }],
    ['PUT', '/api/user/payouts', { monthly: false }],
  ]);
});
