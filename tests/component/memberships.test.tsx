import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { act } from 'react';
import { renderToString } from 'react-dom/server';
import { CardChanged } from '@/components/memberships/card-changed';
import { CheckoutForm } from '@/components/memberships/checkout-form';
import { CheckoutTerms } from '@/components/memberships/checkout-terms';
import { CouponDesk } from '@/components/memberships/coupon-desk';
import { JoinPlans } from '@/components/memberships/join-plans';
import { MembershipList } from '@/components/memberships/membership-list';
import { OrderWatch } from '@/components/memberships/order-watch';
import { OwnMembership } from '@/components/memberships/own-membership';
import { PlanForm } from '@/components/memberships/plan-form';
import { ProductProcessing } from '@/components/memberships/product-processing';
import { ReceiptTable } from '@/components/memberships/receipt-table';
import { SandboxForm } from '@/components/memberships/sandbox-form';
import { PayoutForm } from '@/components/money/payout-form';
import { ModalHost } from '@/components/modals/modal-host';
import { readCheckout } from '@/components/state/checkout';
import { closeModals } from '@/components/state/modals';
import { writeStored } from '@/components/state/storage';
import { type Identity, showGuest, showMember } from '@/components/state/viewer';
import { CsvDownload } from '@/components/account/csv-download';
import { markOfTerms } from '@/lib/memberships/rules';
import type { CardChangeView, Coupon, MembershipView, OwnPlans, SaleView } from '@/lib/memberships/schema';
import type { PlansInput } from '@/lib/memberships/schema/plans';
import type { Receipt } from '@/lib/money/schema';
import { Role } from '@/lib/reference/schema';
import { teachDialogs } from '../support/dialogs';
import { order, terms } from '../support/order-views';

const refresh = jest.fn();
jest.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => refresh() as unknown }) }));

teachDialogs();

const membership: MembershipView = {
  reference: 'bcdefghjkm',
  portfolioReference: 'ann',
  name: 'Ann Football',
  demo: false,
  state: 'active',
  startsAt: '2026-03-10T12:00:00.000Z',
  endsAt: '2026-04-10T12:00:00.000Z',
  period: 'month',
  currencyId: 1,
  renewalMinor: 2000,
  afterCoupon: null,
  renewsAt: '2026-04-10T12:00:00.000Z',
  refundMinor: 1806,
  refundUntil: '2026-03-24T12:00:00.000Z',
  because: null,
  card: { label: 'Visa ending in 4242', expires: '2030-08' },
  promised: null,
  verdict: null,
  needsCard: false,
};
const receipt: Receipt = {
  number: 7,
  issuedAt: '2026-03-10T12:00:00.000Z',
  currencyId: 1,
  amountMinor: 2000,
  taxMinor: 0,
  order: 'abcdefghjk',
  isRefund: false,
  description: 'Membership of Ann Football, one month',
  periodStartsAt: null,
  periodEndsAt: null,
  coupon: null,
  discountMinor: 0,
};
const plans: OwnPlans = {
  mainCurrencyId: 1,
  trialDays: 0,
  memberLimit: null,
  members: 0,
  plans: [
    {
      period: 'month',
      tipsPromised: null,
      profitOrFree: false,
      onSale: true,
      prices: [
        { currencyId: 1, amountMinor: 2000 },
        { currencyId: 3, amountMinor: 2500 },
      ],
    },
  ],
};
const coupon: Coupon = {
  id: 1,
  code: 'SPRING',
  percent: 10,
  amountMinor: null,
  currencyId: null,
  periods: 1,
  plans: [],
  mostUses: 50,
  uses: 3,
  onceEach: true,
  endsAt: '2026-04-01T22:59:59.000Z',
  endedAt: null,
};
const coupons = {
  portfolio: 'ann',
  currencyId: 1,
  coupons: [coupon],
  timeZone: 'Europe/London',
  now: '2026-03-10T12:00:00.000Z',
} as const;
const sale: SaleView = {
  portfolioReference: 'ann',
  mainCurrencyId: 1,
  trialDays: 7,
  open: true,
  why: null,
  plans: [{ period: 'month', tipsPromised: null, profitOrFree: false, prices: [{ currencyId: 1, amountMinor: 2000 }] }],
};
const payment = {
  reference: 'a'.repeat(20),
  status: 'started',
  step: 'choose',
  amountMinor: 2000,
  currencyId: 1,
  description: 'Tipledger order abcdefghjk',
  returnPath: '/dashboard/orders/abcdefghjk',
} as const;

type Sent = { method: string; path: string; body: unknown; key: string | null };
const sent: Sent[] = [];
const answers = new Map<string, unknown>();

const bob = {
  user: { username: 'bob', emailConfirmed: true, hasProMembership: false },
  settings: { timezoneId: 33, oddsDisplayType: 'fraction' },
  portfolios: [],
} as unknown as Identity;

beforeEach(() => {
  sent.length = 0;
  answers.clear();
  global.fetch = jest.fn(async (address: string | URL | Request, init?: RequestInit) => {
    const path = String(address).replace(/\?.*/, '');
    sent.push({
      method: init?.method ?? 'GET',
      path,
      body: init?.body ? JSON.parse(String(init.body)) : null,
      key: new Headers(init?.headers).get('idempotency-key'),
    });
    const answer = answers.get(path);
    return {
      ok: answer !== undefined,
      status: answer === undefined ? 409 : 200,
      statusText: '',
      headers: new Headers(),
      text: async () => JSON.stringify(answer ?? { message: 'The price has changed.' }),
    } as Response;
  });
  act(() => showMember(Role.user, bob));
});

afterEach(() => act(() => closeModals()));

const earningsFile = (
  <CsvDownload
    call="GET /user/portfolio/{reference}/earnings/export"
    place={{ params: { reference: 'ann' } }}
    file="earnings-ann.csv"
  />
);

test('a file of earnings is said to be prepared until it has come, or could not', async () => {
  render(earningsFile);
  fireEvent.click(screen.getByRole('button', { name: 'Download as CSV' }));
  expect(screen.getByRole('button', { name: 'Preparing…' })).toBeDisabled();
  expect(await screen.findByRole('button', { name: 'Download as CSV' })).toBeEnabled();
  expect(sent.at(-1)).toMatchObject({ method: 'GET', path: '/api/user/portfolio/ann/earnings/export' });
});

test.each([
  ['PayoutForm', <PayoutForm key="a" portfolio="ann" currencyId={1} payableMinor={2800} />, 'Pay out £28.00'],
  ['CsvDownload', earningsFile, 'Download as CSV'],
  ['CheckoutForm', <CheckoutForm key="a" portfolio="ann" terms={terms} from={null} />, 'Join and pay £20.00'],
  ['CheckoutTerms', <CheckoutTerms key="a" terms={terms} timeZone="Europe/London" />, '£20.00'],
  ['JoinPlans', <JoinPlans key="a" sale={sale} name="Ann Football" />, 'Free for the first 7 days'],
  [
    'MembershipList',
    <MembershipList key="a" memberships={[membership]} welcomes={[]} timeZone="Europe/London" />,
    'Renews on',
  ],
  ['OrderWatch', <OrderWatch key="a" order="abcdefghjk" />, ''],
  ['OwnMembership', <OwnMembership key="a" portfolio="ann" />, ''],
  ['CouponDesk', <CouponDesk key="a" {...coupons} />, '10% off the first payment, once each'],
  ['PlanForm', <PlanForm key="a" portfolio="ann" plans={plans} />, 'Save plans'],
  [
    'ProductProcessing',
    <ProductProcessing key="a" order="abcdefghjk" first={order} />,
    'You are a member of Ann Football',
  ],
  ['ReceiptTable', <ReceiptTable key="a" receipts={[receipt]} timeZone="Europe/London" />, 'No. 7'],
  ['SandboxForm', <SandboxForm key="a" payment={payment} />, 'Pay £20.00'],
])('%s is rendered on the server', (_, element, text) => {
  expect(renderToString(element).replaceAll('<!-- -->', '')).toContain(text);
});

test('a coupon is made of what was typed, and ended by its button; its uses and its end are told', async () => {
  render(<CouponDesk {...coupons} />);
  expect(screen.getByRole('row', { name: /SPRING/ })).toHaveTextContent(/All3 of 50Until Wed 1 Apr 2026/);
  fireEvent.change(screen.getByLabelText('Code'), { target: { value: 'fiver' } });
  fireEvent.change(screen.getByLabelText('Discount'), { target: { value: '5.50' } });
  fireEvent.change(screen.getByLabelText('Discount in'), { target: { value: 'amount' } });
  fireEvent.change(screen.getByLabelText('Discount on how many payments'), { target: { value: '' } });
  fireEvent.click(screen.getByLabelText('Weekly plan'));
  const made = {
    ...coupon,
    id: 2,
    code: 'FIVER',
    percent: null,
    amountMinor: 550,
    currencyId: 1,
    periods: null,
  } as const;
  answers.set('/api/user/portfolio/ann/coupons', [made, coupon]);
  fireEvent.click(screen.getByRole('button', { name: 'Make coupon' }));
  expect(await screen.findByText(/The coupon FIVER was made/)).toBeInTheDocument();
  expect(sent.at(-1)).toMatchObject({
    method: 'POST',
    body: {
      code: 'FIVER',
      percent: null,
      amountMinor: 550,
      periods: null,
      plans: ['month', 'quarter', 'year'],
      mostUses: null,
      onceEach: true,
      endsAt: null,
    },
  });
  expect(screen.getByRole('row', { name: /FIVER/ })).toHaveTextContent('£5.50 off every payment, once each');
  answers.set('/api/user/portfolio/ann/coupons/SPRING', [made, { ...coupon, endedAt: '2026-03-10T12:00:00.000Z' }]);
  fireEvent.click(screen.getByRole('button', { name: 'End SPRING' }));
  expect(await screen.findByText('Ended on Tue 10 Mar 2026')).toBeInTheDocument();
  expect(sent.at(-1)).toMatchObject({ method: 'DELETE' });
});

test('a coupon that cannot be made says at each field why', async () => {
  render(<CouponDesk {...coupons} />);
  fireEvent.change(screen.getByLabelText('Code'), { target: { value: 'fiver' } });
  fireEvent.click(screen.getByRole('button', { name: 'Make coupon' }));
  await waitFor(() => expect(screen.getByLabelText('Discount')).toHaveFocus());
  expect(screen.getByLabelText('Discount')).toHaveAccessibleDescription(/Enter the discount\./);
  fireEvent.change(screen.getByLabelText('Discount'), { target: { value: '5.555' } });
  fireEvent.click(screen.getByRole('button', { name: 'Make coupon' }));
  await waitFor(() =>
    expect(screen.getByLabelText('Discount')).toHaveAccessibleDescription(/with two decimal places at most\./),
  );
  expect(sent).toEqual([]);
});

test('what is sold nowhere is shown nowhere, and a full portfolio says so without a button', () => {
  const { container, rerender } = render(<JoinPlans sale={{ ...sale, plans: [] }} name="Ann" />);
  expect(container).toBeEmptyDOMElement();
  rerender(<JoinPlans sale={{ ...sale, open: false, why: 'This portfolio is full.' }} name="Ann" />);
  expect(screen.getByText('This portfolio is full.')).toBeInTheDocument();
  expect(screen.queryByRole('link')).toBeNull();
});

test('the terms say what is charged today and when next, a trial and a coupon too', () => {
  render(<CheckoutTerms terms={{ ...terms, amountMinor: 1000, coupon: 'HALF' }} timeZone="Europe/London" />);
  expect(screen.getByText('£10.00')).toBeInTheDocument();
  expect(screen.getByText(/Renews on/)).toHaveTextContent(
    'Renews on Fri 10 Apr 2026 at £20.00, then every month until you cancel.',
  );
});

test.each([
  [
    'a trial and a coupon for the first payment',
    { trialDays: 7, amountMinor: 0, renewalMinor: 1000, couponPeriods: 1 },
    'The coupon HALF takes £10.00 off the first payment; without it the price is £20.00 a month.',
    'Renews on Fri 10 Apr 2026 at £10.00. After the first payment it is £20.00 a month until you cancel.',
  ],
  [
    'a coupon for the first three payments',
    { amountMinor: 1000, renewalMinor: 1000, couponPeriods: 3 },
    'The coupon HALF takes £10.00 off the first 3 payments; without it the price is £20.00 a month.',
    'Renews on Fri 10 Apr 2026 at £10.00. After the first 3 payments it is £20.00 a month until you cancel.',
  ],
  [
    'a trial and a coupon for every payment',
    { trialDays: 7, amountMinor: 0, renewalMinor: 1000 },
    'The coupon HALF takes £10.00 off every payment; without it the price is £20.00 a month.',
    'Renews on Fri 10 Apr 2026 at £10.00, then every month until you cancel.',
  ],
])('the terms say what is charged after %s', (_, given, coupon, renewal) => {
  render(<CheckoutTerms terms={{ ...terms, ...given, coupon: 'HALF' }} timeZone="Europe/London" />);
  expect(screen.getByText(/The coupon/)).toHaveTextContent(coupon);
  expect(screen.getByText(/Renews on/)).toHaveTextContent(renewal);
});

test('a membership says what is charged once its coupon takes nothing off any longer', () => {
  const discounted = { ...membership, renewalMinor: 1000, afterCoupon: { payments: 2, amountMinor: 2000 } };
  render(<MembershipList memberships={[discounted]} welcomes={[]} timeZone="Europe/London" />);
  expect(screen.getByText(/Renews on/)).toHaveTextContent(
    'Renews on Fri 10 Apr 2026 at £10.00. After the first 2 payments it is £20.00 a month',
  );
});

test('an order is sent at the price and with the mark of the terms that were shown; what is refused is said beside the button', async () => {
  render(<CheckoutForm portfolio="ann" terms={terms} from={null} />);
  fireEvent.click(screen.getByRole('button', { name: 'Join and pay £20.00' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The price has changed.');
  expect(sent).toMatchObject([
    {
      method: 'POST',
      path: '/api/user/orders',
      body: { portfolio: 'ann', period: 'month', currencyId: 1, amountMinor: 2000, seen: markOfTerms(terms) },
    },
  ]);
});

test('cancelling takes two clicks, and is undone by one', async () => {
  answers.set('/api/user/memberships/bcdefghjkm/cancel', {
    ...membership,
    state: 'cancelled',
    renewsAt: null,
    renewalMinor: null,
  });
  answers.set('/api/user/memberships/bcdefghjkm/keep', membership);
  const page = (memberships: readonly MembershipView[]) => (
    <>
      <MembershipList memberships={memberships} welcomes={[]} timeZone="Europe/London" />
      <ModalHost />
    </>
  );
  const { rerender } = render(page([membership]));
  fireEvent.click(screen.getByRole('button', { name: 'Cancel Ann Football' }));
  const dialog = await screen.findByRole('dialog', { name: 'Cancel this membership?' });
  fireEvent.click(await within(dialog).findByRole('button', { name: 'Cancel membership' }));
  expect(await screen.findByText('Cancelled')).toBeInTheDocument();
  expect(screen.getByText(/^Runs until/)).toBeInTheDocument();
  fireEvent.click(screen.getByRole('button', { name: 'Keep membership: Ann Football' }));
  expect(await screen.findByText('Active')).toBeInTheDocument();
  // What else the page says comes after each change, and the list as the server has it then.
  expect(refresh).toHaveBeenCalledTimes(2);
  rerender(page([{ ...membership, state: 'ended', because: 'You asked for a refund.', renewsAt: null }]));
  expect(screen.getByText('You asked for a refund.')).toBeInTheDocument();
});

test('who cancels what is past due is told that access ends now, and the row says what became of it', async () => {
  const ended = { ...membership, state: 'ended', because: 'You cancelled it.', renewsAt: null, card: null };
  answers.set('/api/user/memberships/bcdefghjkm/cancel', ended);
  render(
    <>
      <MembershipList memberships={[{ ...membership, state: 'past due' }]} welcomes={[]} timeZone="Europe/London" />
      <ModalHost />
    </>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Cancel Ann Football' }));
  const dialog = await screen.findByRole('dialog', { name: 'Cancel this membership?' });
  expect(await within(dialog).findByText(/access ends now, and your card is not tried again/)).toBeInTheDocument();
  expect(within(dialog).queryByText(/you keep access/)).toBeNull();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel membership' }));
  expect(await screen.findByText('You cancelled it.')).toBeInTheDocument();
});

test('a membership can be cancelled as soon as it is known who looks, so that no press is lost', () => {
  act(() => showGuest());
  render(<MembershipList memberships={[membership]} welcomes={[]} timeZone="Europe/London" />);
  expect(screen.getByRole('button', { name: 'Cancel Ann Football' })).toBeDisabled();
  act(() => showMember(Role.user, bob));
  expect(screen.getByRole('button', { name: 'Cancel Ann Football' })).toBeEnabled();
});

test('the cell of what can be done with a membership that has ended is marked as empty', () => {
  const ended = {
    ...membership,
    reference: 'cdefghjkmn',
    state: 'ended' as const,
    renewsAt: null,
    because: 'You asked for a refund.',
  };
  render(<MembershipList memberships={[membership, ended]} welcomes={[]} timeZone="Europe/London" />);
  const cells = screen.getAllByRole('cell').filter(({ dataset }) => dataset.label === 'Actions');
  expect(cells.map(({ dataset, childElementCount }) => [dataset.none, childElementCount])).toEqual([
    [undefined, 1],
    ['', 0],
  ]);
});

test('what was pressed again after a lost answer bears the name of the first attempt, and the next one its own', async () => {
  const refundable = { ...membership, refundMinor: 1500 };
  render(<MembershipList memberships={[refundable]} welcomes={[]} timeZone="Europe/London" />);
  const press = async () => {
    fireEvent.click(screen.getByRole('button', { name: /End now/, hidden: true }));
    await waitFor(() => expect(screen.getByRole('button', { name: /End now/, hidden: true })).toBeEnabled());
  };
  await press();
  await press();
  answers.set('/api/user/memberships/bcdefghjkm/refund', refundable);
  await press();
  await press();
  const keys = sent.map(({ key }) => key);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{24}$/), keys[0], keys[0], expect.any(String)]);
  expect(keys[3]).not.toBe(keys[0]);
});

test('a card is told with its month, and changed on the page of the provider; what is refused is said', async () => {
  render(
    <>
      <MembershipList memberships={[{ ...membership, state: 'past due' }]} welcomes={[]} timeZone="Europe/London" />
      <ModalHost />
    </>,
  );
  expect(screen.getByText('Visa ending in 4242, expires 08/2030')).toBeInTheDocument();
  expect(screen.getByText(/a new card at once/)).toBeInTheDocument();
  fireEvent.click(screen.getByRole('button', { name: 'Change card: Ann Football' }));
  await waitFor(() =>
    expect(sent.at(-1)).toMatchObject({ method: 'POST', path: '/api/user/memberships/bcdefghjkm/card' }),
  );
  await waitFor(() => expect(screen.getByRole('button', { name: 'Change card: Ann Football' })).toBeEnabled());
});

test('what ends unless another card is given says so, whatever became of its last renewal, and offers to change it', () => {
  const needy = { ...membership, needsCard: true, renewsAt: null, renewalMinor: null, card: null };
  for (const [state, said] of [
    ['active', 'Ends on Fri 10 Apr 2026. It was paid in the sandbox'],
    ['past due', 'Ends with the next try of your card. It was paid in the sandbox'],
  ] as const) {
    const { unmount } = render(
      <MembershipList memberships={[{ ...needy, state }]} welcomes={[]} timeZone="Europe/London" />,
    );
    expect(screen.getByText(said, { exact: false })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Change card: Ann Football' })).toBeEnabled();
    unmount();
  }
});

test('what is cancelled or has ended offers no other card', () => {
  for (const state of ['cancelled', 'ended'] as const) {
    const { unmount } = render(
      <MembershipList
        memberships={[{ ...membership, state, renewsAt: null, card: null }]}
        welcomes={[]}
        timeZone="Europe/London"
      />,
    );
    expect(screen.queryByRole('button', { name: /Change card/ })).toBeNull();
    unmount();
  }
});

const change: CardChangeView = {
  membership: 'bcdefghjkm',
  name: 'Ann Football',
  state: 'active',
  card: membership.card,
  status: 'succeeded',
  because: null,
  payUrl: null,
};

test.each([
  [change, 'Ann Football is charged to your new card from now on: Visa ending in 4242, expires 08/2030.'],
  [{ ...change, state: 'past due' }, 'the renewal could not be charged to it yet'],
  [{ ...change, state: 'ended', card: null }, 'your new card is not used'],
  [{ ...change, status: 'failed', because: 'The card was declined.' }, 'was not changed. The card was declined.'],
  [{ ...change, status: 'pending' }, 'Check again in a minute'],
  [{ ...change, status: 'started', payUrl: 'https://pay.example/1' }, 'Enter the new card'],
] as const)('who comes back from the page for a card is told what came of it: %#', (told, words) => {
  const { container } = render(<CardChanged change={told} />);
  expect(container).toHaveTextContent(words);
});

test('the sandbox asks for a card where nothing is to be paid', () => {
  render(<SandboxForm payment={{ ...payment, amountMinor: 0 }} />);
  expect(screen.getByRole('button', { name: 'Save this card' })).toBeInTheDocument();
  expect(screen.queryByText(/Pay/)).toBeNull();
});

test('money back ends the membership', async () => {
  answers.set('/api/user/memberships/bcdefghjkm/refund', {
    ...membership,
    state: 'ended',
    because: 'You asked for a refund.',
    refundMinor: null,
  });
  render(<MembershipList memberships={[membership]} welcomes={[]} timeZone="Europe/London" />);
  fireEvent.click(screen.getByText('Cooling-off refund'));
  fireEvent.click(screen.getByRole('button', { name: 'End now and get £18.06 back' }));
  expect(await screen.findByText('You asked for a refund.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /Cancel/ })).toBeNull();
});

test('an order that is processing is waited for, and says when it is paid', async () => {
  answers.set('/api/user/orders/abcdefghjk', order);
  render(<ProductProcessing order="abcdefghjk" first={{ ...order, status: 'processing' }} />);
  expect(screen.getByRole('status')).toHaveTextContent('being processed');
  expect(await screen.findByText('You are a member of Ann Football.')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Read the tips' })).toHaveAttribute('href', '/tipster/ann/tips');
});

test.each([
  [
    'was not paid',
    { status: 'expired' as const, charged: false },
    'This order was not paid in time. Nothing was charged.',
  ],
  [
    'was paid too late',
    { status: 'expired' as const, givenBackMinor: 2000 },
    'This order was not paid in time. Your payment of £20.00 goes back to the card that you paid with.',
  ],
  [
    'was charged another amount',
    { status: 'expired' as const },
    /^Your card was charged another amount than was agreed\. Write to us through the contact page: we will give it back, and then you can join again\.$/,
  ],
  [
    'was paid after its portfolio was closed',
    { status: 'cancelled' as const, because: 'The portfolio was closed.', givenBackMinor: 2000 },
    'The portfolio was closed. Your payment of £20.00 goes back to the card that you paid with.',
  ],
])('an order that %s says what became of the money', async (_, ended, said) => {
  await act(async () => void render(<ProductProcessing order="abcdefghjk" first={{ ...order, ...ended }} />));
  expect(screen.getByRole('alert')).toHaveTextContent(said);
});

test('who tries again is led to the plan with the coupon, and to where they came from', async () => {
  await writeStored('checkout', { order: 'abcdefghjk', from: '/tipster/ann', _expires: '2099-01-01T00:00:00.000Z' });
  const failed = { ...order, status: 'failed' as const, charged: false, because: 'The card was declined.' };
  const chosen = { ...terms, period: 'year' as const, coupon: 'SPRING', couponPeriods: 1 };
  render(<ProductProcessing order="abcdefghjk" first={{ ...failed, terms: chosen }} />);
  await waitFor(() =>
    expect(screen.getByRole('link', { name: 'Try again' })).toHaveAttribute(
      'href',
      '/dashboard/checkout/ann?period=year&coupon=SPRING&from=%2Ftipster%2Fann',
    ),
  );
});

describe('the plans of a portfolio', () => {
  const price = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
  const type = (label: string, value: string) => fireEvent.change(price(label), { target: { value } });
  const choose = (label: string, currencyId: number) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value: String(currencyId) } });
  const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save plans' }));
  const pricesSent = () => (sent.at(-1)?.body as PlansInput).plans.map(({ prices }) => prices);
  const inPounds: OwnPlans = {
    ...plans,
    plans: plans.plans.map((plan) => ({ ...plan, prices: [{ currencyId: 1, amountMinor: 1000 }] })),
  };

  beforeEach(() => answers.set('/api/user/portfolio/ann/plans', plans));

  test('are saved with the prices in every currency that the form shows', async () => {
    render(<PlanForm portfolio="ann" plans={plans} />);
    expect(price('Monthly price in EUR')).toHaveValue(25);
    type('Monthly price in GBP', '19.99');
    type('Monthly price in EUR', '24');
    save();
    expect(await screen.findByText('Your plans were saved.')).toBeInTheDocument();
    expect(sent[0]?.body).toEqual({
      mainCurrencyId: 1,
      trialDays: 0,
      memberLimit: null,
      plans: [
        {
          period: 'month',
          onSale: true,
          prices: [
            { currencyId: 1, amountMinor: 1999 },
            { currencyId: 3, amountMinor: 2400 },
          ],
          tipsPromised: null,
          profitOrFree: false,
        },
      ],
    });
  });

  test('keep no price in a currency that is not shown any longer', async () => {
    render(<PlanForm portfolio="ann" plans={inPounds} />);
    choose('Main currency', 3);
    type('Monthly price in EUR', '50');
    save();
    await screen.findByText('Your plans were saved.');
    expect(pricesSent()).toEqual([[{ currencyId: 3, amountMinor: 5000 }]]);
  });

  test('change places where another of their currencies becomes the main one, each with its prices', async () => {
    render(<PlanForm portfolio="ann" plans={plans} />);
    type('Monthly price in GBP', '21');
    choose('Main currency', 3);
    expect(price('Monthly price in GBP')).toHaveValue(21);
    save();
    await screen.findByText('Your plans were saved.');
    expect(sent.at(-1)?.body).toMatchObject({ mainCurrencyId: 3 });
    expect(pricesSent()).toEqual([
      [
        { currencyId: 3, amountMinor: 2500 },
        { currencyId: 1, amountMinor: 2100 },
      ],
    ]);
  });

  test('take another currency and give it up again, with the focus where one goes on', async () => {
    render(<PlanForm portfolio="ann" plans={inPounds} />);
    fireEvent.click(screen.getByRole('button', { name: 'Add another currency' }));
    expect(screen.getByLabelText('Currency 2')).toHaveFocus();
    choose('Currency 2', 5);
    expect(within(screen.getByLabelText('Currency 2')).queryByRole('option', { name: /GBP/ })).toBeNull();
    type('Monthly price in CAD', '18');
    save();
    await screen.findByText('Your plans were saved.');
    expect(pricesSent()).toEqual([
      [
        { currencyId: 1, amountMinor: 1000 },
        { currencyId: 5, amountMinor: 1800 },
      ],
    ]);
    fireEvent.click(screen.getByRole('button', { name: 'Remove CAD' }));
    expect(screen.getByRole('button', { name: 'Add another currency' })).toHaveFocus();
    save();
    await waitFor(() => expect(pricesSent()).toEqual([[{ currencyId: 1, amountMinor: 1000 }]]));
  });

  test('on sale without a price in the main currency are not sent, and the field says so', async () => {
    render(<PlanForm portfolio="ann" plans={plans} />);
    type('Monthly price in GBP', '');
    save();
    expect(await screen.findByText('Write a price in GBP, or take this plan off sale.')).toBeInTheDocument();
    expect(price('Monthly price in GBP')).toHaveFocus();
    expect(sent).toEqual([]);
  });

  test('show what they cost in every currency', () => {
    const { container } = render(<JoinPlans sale={{ ...sale, plans: plans.plans }} name="Ann Football" />);
    expect(container).toHaveTextContent('£20.00a monthor €25.00');
  });
});

test('a promise that cannot be made says at its field why', async () => {
  render(<PlanForm portfolio="ann" plans={plans} />);
  fireEvent.change(screen.getByLabelText('Monthly: settled tips promised'), { target: { value: '501' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save plans' }));
  await waitFor(() =>
    expect(screen.getByLabelText('Monthly: settled tips promised')).toHaveAccessibleDescription(
      /Enter a whole number from 1 to 500\./,
    ),
  );
  expect(sent).toEqual([]);
});

test('checkout data is discarded once it is past its time', async () => {
  await writeStored('checkout', { order: 'abcdefghjk', from: null, _expires: '2020-01-01T00:00:00.000Z' });
  expect(await readCheckout()).toBeNull();
  await writeStored('checkout', { order: 'abcdefghjk', from: '/tipster/ann', _expires: '2099-01-01T00:00:00.000Z' });
  expect(await readCheckout()).toMatchObject({ from: '/tipster/ann' });
  await waitFor(() => undefined);
});
