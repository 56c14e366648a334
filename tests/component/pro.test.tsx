import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { SWRConfig } from 'swr';
import { OwnPro } from '@/components/memberships/own-pro';
import { PlanList } from '@/components/memberships/plan-list';
import { ProConfirmTeam } from '@/components/memberships/pro-confirm-team';
import { ProPart } from '@/components/memberships/pro-part';
import { ProPlace } from '@/components/memberships/pro-place';
import { ProSwitchTeam } from '@/components/memberships/pro-switch-team';
import { ProUpgrade } from '@/components/memberships/pro-upgrade';
import { AffiliateBoard } from '@/components/money/affiliate-board';
import { PriceNote } from '@/components/portfolios/price-note';
import { OpenToAll } from '@/components/ui/open-to-all';
import { type Identity, showMember } from '@/components/state/viewer';
import type { Affiliate } from '@/lib/affiliates/schema';
import type { ProStanding } from '@/lib/memberships/schema/pro';
import { Role } from '@/lib/reference/schema';
import { teachDialogs } from '../support/dialogs';

teachDialogs();

const portfolio = (reference: string) => ({
  reference,
  name: `The ${reference}`,
  owner: `${reference}-desk`,
  demo: false,
});
const standing = (
  team: readonly string[],
  candidates: readonly string[],
  more: Partial<ProStanding> = {},
): ProStanding => ({
  running: true,
  places: 5,
  team: team.map((reference) => ({ ...portfolio(reference), since: '2026-03-01T12:00:00.000Z' })),
  candidates: candidates.map(portfolio),
  switchFrom: null,
  ...more,
});
const affiliate: Affiliate = {
  code: 'abcdefghjk',
  fees: [{ currencyId: 1, amountMinor: 500 }],
  visits: 12,
  signUps: 3,
  sales: 2,
  returned: 1,
  balances: [{ currencyId: 1, heldMinor: 500, payableMinor: 2500, onTheWayMinor: 150_000, paidMinor: 0 }],
  payouts: [
    {
      at: '2026-03-20T12:00:00.000Z',
      changedAt: '2026-03-20T12:00:00.000Z',
      currencyId: 1,
      amountMinor: 150_000,
      status: 'asked',
      because: null,
    },
  ],
  months: [{ month: '2026-03', visits: 12, signUps: 3, sales: 2 }],
};

const bob = {
  user: { username: 'bob', emailConfirmed: true, hasProMembership: true },
  settings: { timezoneId: 33, oddsDisplayType: 'fraction' },
  portfolios: [],
} as unknown as Identity;

type Sent = { method: string; path: string; body: unknown };
const sent: Sent[] = [];
const answers = new Map<string, unknown>();

beforeEach(() => {
  sent.length = 0;
  answers.clear();
  global.fetch = jest.fn(async (address: string | URL | Request, init?: RequestInit) => {
    const path = String(address).replace(/\?.*/, '');
    sent.push({ method: init?.method ?? 'GET', path, body: init?.body ? JSON.parse(String(init.body)) : null });
    const answer = answers.get(path);
    return {
      ok: answer !== undefined,
      status: answer === undefined ? 409 : 200,
      statusText: '',
      headers: new Headers(),
      text: async () => JSON.stringify(answer ?? { message: 'Your team is full.' }),
    } as Response;
  });
  act(() => showMember(Role.user, bob));
});

const show = (element: React.ReactNode, pro: ProStanding) => {
  answers.set('/api/user/pro', pro);
  return render(<SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>{element}</SWRConfig>);
};
const close = jest.fn();

test.each([
  ['OwnPro', <OwnPro key="a" />, ''],
  ['ProPlace', <ProPlace key="a" portfolio="ann" name="Ann" />, ''],
  ['ProPart', <ProPart key="a" portfolio="ann" tipledgerPro={false} sells={false} />, 'Put a plan on sale first.'],
  [
    'AffiliateBoard',
    <AffiliateBoard key="a" affiliate={affiliate} origin="https://site.example" canAsk timeZone="Europe/London" />,
    '?ref-a=abcdefghjk',
  ],
  ['OpenToAll', <OpenToAll key="a" portfolio="ann" />, 'Set a plan to lock tips'],
  [
    'PlanList',
    <PlanList
      key="a"
      name="Tipledger Pro"
      sale={{
        portfolioReference: null,
        mainCurrencyId: 1,
        trialDays: 0,
        open: true,
        why: null,
        plans: [
          { period: 'month', prices: [{ currencyId: 1, amountMinor: 4900 }], tipsPromised: 8, profitOrFree: true },
        ],
      }}
    />,
    'At least 8 settled tips a month',
  ],
  [
    'PriceNote',
    <PriceNote key="a" portfolio={{ reference: 'ann', name: 'Ann', price: { monthMinor: 1250, currencyId: 1 } }} />,
    '£12.50',
  ],
])('%s is rendered on the server', (_, element, text) => {
  expect(renderToString(element).replaceAll('<!-- -->', '')).toContain(text);
});

test('the team is chosen up to its places, and confirmed', async () => {
  show(<ProConfirmTeam onClose={close} />, standing(['a', 'b', 'c', 'd'], ['e', 'f']));
  const box = await screen.findByLabelText('The e, by e-desk');
  fireEvent.click(box);
  expect(screen.getByLabelText('The f, by f-desk')).toBeDisabled();
  fireEvent.click(screen.getByRole('button', { name: 'Confirm the team' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Your team is full.');
  answers.set('/api/user/pro/team', standing(['a', 'b', 'c', 'd', 'e'], ['f']));
  fireEvent.click(screen.getByRole('button', { name: 'Confirm the team' }));
  await waitFor(() => expect(close).toHaveBeenCalled());
  expect(sent.filter(({ method }) => method === 'PUT')).toMatchObject([
    { path: '/api/user/pro/team', body: { portfolios: ['e'] } },
    { path: '/api/user/pro/team', body: { portfolios: ['e'] } },
  ]);
});

test('one portfolio takes the place of another, and within a week it is said when', async () => {
  answers.set('/api/user/pro/switch', standing(['b'], ['a']));
  const { unmount } = show(<ProSwitchTeam portfolio="b" onClose={close} />, standing(['a'], ['b']));
  fireEvent.click(await screen.findByRole('button', { name: 'Change the team' }));
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ method: 'POST', body: { out: 'a', in: 'b' } }));
  unmount();
  show(<ProSwitchTeam onClose={close} />, standing(['a'], ['b'], { switchFrom: '2026-03-17T12:00:00.000Z' }));
  expect(await screen.findByText(/once a week/)).toHaveTextContent('17 Mar 2026');
});

test('a portfolio is taken into a free place from where it is met, or in the place of another', async () => {
  answers.set('/api/user/pro/team', standing(['ann'], []));
  const { unmount } = show(<ProUpgrade portfolio="ann" name="Ann" onClose={close} />, standing([], ['ann']));
  fireEvent.click(await screen.findByRole('button', { name: 'Add Ann to my team' }));
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ method: 'PUT', body: { portfolios: ['ann'] } }));
  unmount();
  show(<ProUpgrade portfolio="ann" name="Ann" onClose={close} />, standing(['a', 'b', 'c', 'd', 'e'], ['ann']));
  expect(await screen.findByRole('button', { name: 'Change my team' })).toBeEnabled();
});

test('a window of Pro that ends meanwhile says so, and one that could not ask asks again', async () => {
  const { unmount } = show(<ProConfirmTeam onClose={close} />, standing([], ['e']));
  await screen.findByLabelText('The e, by e-desk');
  act(() => showMember(Role.user, { ...bob, user: { ...bob.user, hasProMembership: false } }));
  expect(screen.getByRole('alert')).toHaveTextContent('Your Tipledger Pro is not running.');
  expect(screen.getByRole('link', { name: 'See Tipledger Pro' })).toHaveAttribute('href', '/pro');
  unmount();
  act(() => showMember(Role.user, bob));
  const shown = show(
    <ProUpgrade portfolio="e" name="The e" onClose={close} />,
    standing([], ['e'], { running: false }),
  );
  expect(await screen.findByRole('alert')).toHaveTextContent('is not running');
  shown.unmount();
  show(<ProSwitchTeam onClose={close} />, standing(['a'], ['b']));
  answers.delete('/api/user/pro');
  expect(await screen.findByRole('alert')).toHaveTextContent('Your team is full.');
  answers.set('/api/user/pro', standing(['a'], ['b']));
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Change the team' })).toBeEnabled();
});

test('whoever is no affiliate becomes one, and then has a link, figures and what is payable', async () => {
  answers.set('/api/user/affiliate', affiliate);
  render(
    <AffiliateBoard
      affiliate={{ ...affiliate, code: null }}
      origin="https://site.example"
      canAsk
      timeZone="Europe/London"
    />,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Become an affiliate' }));
  expect(await screen.findByText('https://site.example/?ref-a=abcdefghjk')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Pay out £25.00' })).toBeEnabled();
});
