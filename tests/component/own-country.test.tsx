import { PriceNow } from '@/components/formats/price-now';
import type { TipView } from '@/lib/tips/schema';
import { act, render, screen } from '@testing-library/react';
import { LiveOdds } from '@/components/fixtures/live-odds';
import { OwnBookmakers } from '@/components/fixtures/own-bookmakers';
import { FixtureTable } from '@/components/fixtures/fixture-table';
import { OwnView } from '@/components/formats/own-view';
import { type Identity, showGuest, showMember } from '@/components/state/viewer';
import type { FixtureRow, MarketsView } from '@/lib/fixtures/schema';
import { defaultCountry, Role } from '@/lib/reference/schema';
import { asSent } from '../support/sent-calls';

const api = jest.fn();
jest.mock('@/components/state/api', () => ({
  ...jest.requireActual<object>('@/components/state/api'),
  api: (...given: Parameters<typeof asSent>) => api(...asSent(...given)) as unknown,
}));
jest.mock('@/components/state/live', () => ({ watchTopic: () => () => undefined }));

const us = defaultCountry.id + 1;
const memberFrom = (countryId: number) =>
  act(() =>
    showMember(Role.user, {
      user: { username: 'amy', emailConfirmed: true },
      settings: { countryId, timezoneId: 40, oddsDisplayType: 'decimal' },
      portfolios: [],
    } as unknown as Identity),
  );

const price = (oddsThousandths: number) => ({ oddsThousandths, fraction: null });
const quote = (bookmakerId: number, oddsThousandths: number) => ({
  bookmakerId,
  odds: oddsThousandths / 1000,
  price: price(oddsThousandths),
  opening: price(oddsThousandths),
  closing: null,
  openedAt: '2026-03-09T09:00:00.000Z',
  changedAt: '2026-03-09T09:00:00.000Z',
  pulled: false,
});
const market = {
  id: 3,
  kind: 'match-result',
  name: 'Match result',
  line: null,
  period: 'full-time',
  includesOvertime: false,
  selections: [{ id: 5, key: 'home', name: 'Rovers', selectedOdds: 2.1, odds: [quote(2, 2100)], withdrawn: false }],
} as const;
const view = (markets: readonly unknown[]): MarketsView =>
  ({
    fixtureReference: 'rovers-v-town',
    startsAt: '2126-03-10T20:00:00.000Z',
    bookmakers:
      markets.length > 0
        ? [{ id: 2, reference: 'two', name: 'Bet Two', rating: null, exchange: false, demo: false }]
        : [],
    markets,
    empty: markets.length > 0 ? null : 'No bookmaker in your country (Elsewhere) has a price for this fixture.',
  }) as MarketsView;

const props = { reference: 'rovers-v-town', startsAt: '2126-03-10T20:00:00.000Z', isOver: false };
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 30)));

beforeEach(() => {
  jest.resetAllMocks();
  document.documentElement.dataset.country = String(defaultCountry.id);
  act(() => showGuest());
});

const grid = () =>
  render(
    <>
      <LiveOdds {...props} marketId={3} display="decimal" />
      <OwnBookmakers {...props} />
    </>,
  ).container;

describe('the grid of a fixture', () => {
  it('stays the page’s for guests and for members of the page’s country', async () => {
    const container = grid();
    memberFrom(defaultCountry.id);
    await settle();
    expect(container).toBeEmptyDOMElement();
    expect(api).not.toHaveBeenCalled();
  });

  it('has the bookmakers of the member’s own country at once, nothing marked as moved, asked for once', async () => {
    api.mockResolvedValue(view([market]));
    memberFrom(us);
    grid();
    await settle();
    expect(screen.getByRole('columnheader', { name: 'Bet Two' })).toBeInTheDocument();
    expect(screen.getByText('1 bookmaker')).toBeInTheDocument();
    expect(screen.queryByText(/just/)).toBeNull();
    expect(api).toHaveBeenCalledTimes(1);
  });

  it('says when no bookmaker of the country prices a market, and when none prices the fixture', async () => {
    api.mockResolvedValue(view([]));
    memberFrom(us);
    grid();
    await settle();
    expect(screen.getByText('No bookmaker in your country prices this market.')).toBeInTheDocument();
    expect(
      screen.getByText('No bookmaker in your country (Elsewhere) has a price for this fixture.'),
    ).toBeInTheDocument();
  });
});

it('reviews of bookmakers that do not serve the country are left out of lists', async () => {
  api.mockResolvedValue({
    bookmakers: [
      { id: 1, reference: 'one', markets: false, liveOdds: true, addTips: true },
      { id: 2, reference: 'two', markets: true, liveOdds: true, addTips: true },
    ],
  });
  render(
    <>
      <ul>
        <li>
          Bet One <span data-bookmaker-id={1} />
        </li>
        <li>
          Bet Two <span data-bookmaker-id={2} />
        </li>
      </ul>
      <OwnView />
    </>,
  );
  memberFrom(us);
  await settle();
  expect([screen.getByText('Bet One').hidden, screen.getByText('Bet Two').hidden]).toEqual([true, false]);
  memberFrom(defaultCountry.id);
  await settle();
  expect(screen.getByText('Bet One').hidden).toBe(false);
});

it('the price of an open tip now is that which a member of another country can have', async () => {
  const tip = {
    ...{ reference: 'abcdefghjk', legCount: 1, lock: null, started: false, settlements: [], minPrice: price(2100) },
    legs: [
      {
        ...{ outcome: null, finalScore: null, closingPrice: null },
        bestNow: { price: price(2300), bookmakerName: 'Bet One' },
      },
    ],
  } as unknown as TipView;
  api.mockResolvedValue({
    tips: [
      {
        ...{ reference: 'abcdefghjk', best: price(1950), totalThousandths: 1950, minPrice: price(2100), isGone: true },
        legs: [{ price: price(1950), bookmakerName: 'Bet Two' }],
      },
    ],
  });
  render(
    <>
      <p>
        <PriceNow tip={tip} oddsDisplay="decimal" />
      </p>
      <OwnView />
    </>,
  );
  const words = () => screen.getByRole('paragraph').textContent;
  expect(words()).toBe('Best now 2.30, min. 2.10');
  api.mockRejectedValueOnce(new Error('The site cannot be reached.'));
  jest.useFakeTimers();
  memberFrom(us);
  await act(() => jest.advanceTimersByTimeAsync(31_000));
  jest.useRealTimers();
  expect(words()).toBe('Price gone: best now 1.95, min. 2.10');
  expect(api.mock.calls.map(([path]) => path as unknown)).toEqual(['/best-odds/tips', '/best-odds/tips']);
});

describe('best prices in a list', () => {
  const row = {
    id: 7,
    reference: 'rovers-v-town',
    name: 'Rovers v Town',
    sportId: 1,
    startsAt: '2026-03-10T20:00:00.000Z',
    startTimeKnown: true,
    started: false,
    home: { id: 1, reference: 'rovers', name: 'Rovers' },
    away: { id: 2, reference: 'town', name: 'Town' },
    score: { finalScore: null, positions: [], abandoned: false },
    bestOdds: [
      { selectionId: 5, key: 'home', name: 'Rovers', price: price(2500), bookmakerId: 1, bookmakerName: 'Bet One' },
      { selectionId: 6, key: 'away', name: 'Town', price: price(3000), bookmakerId: 1, bookmakerName: 'Bet One' },
    ],
  } as unknown as FixtureRow;

  it('are those that a member of another country can have', async () => {
    api.mockResolvedValue({
      fixtures: [
        {
          id: 7,
          bestOdds: [
            {
              selectionId: 5,
              key: 'home',
              name: 'Rovers',
              price: price(2100),
              bookmakerId: 2,
              bookmakerName: 'Bet Two',
            },
          ],
        },
      ],
    });
    render(
      <>
        <FixtureTable
          caption="Fixtures"
          fixtures={[row]}
          timeZone="Europe/London"
          oddsDisplay="decimal"
          dated={false}
        />
        <OwnView />
      </>,
    );
    expect(screen.getByText('2.50')).toBeInTheDocument();
    memberFrom(us);
    await settle();
    expect(api.mock.calls.map(([path]) => path as unknown)).toEqual(['/best-odds']);
    expect(screen.getByText('2.10').closest('td')).toHaveAttribute('title', 'Bet Two');
    expect(screen.getByTitle('No bookmaker in your country has a price')).toHaveTextContent('–');
    expect(screen.queryByText('2.50')).toBeNull();
  });

  it('are asked for of a row too that comes while others are asked for, on a page that stands still then', async () => {
    const own = ({ id, name }: { id: number; name: string }) => ({
      id,
      bestOdds: [
        { selectionId: id, key: 'home', name, price: price(2000 + id), bookmakerId: 2, bookmakerName: 'Bet Two' },
      ],
    });
    let answer: (value: unknown) => void = () => undefined;
    api.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    api.mockResolvedValueOnce({ fixtures: [own({ id: 90, name: 'City' })] });
    const table = { timeZone: 'Europe/London', oddsDisplay: 'decimal', dated: false } as const;
    const page = (fixtures: readonly FixtureRow[]) => (
      <>
        <FixtureTable caption="Fixtures" fixtures={fixtures} {...table} />
        <OwnView />
      </>
    );
    const { rerender } = render(page([row]));
    memberFrom(us);
    await settle();
    rerender(page([row, { ...row, id: 90, reference: 'city-v-town' }]));
    await settle();
    await act(async () => answer({ fixtures: [own({ id: 7, name: 'Rovers' })] }));
    await settle();
    expect(api.mock.calls.map(([, options]) => options as unknown)).toEqual([
      expect.objectContaining({ query: { fixtures: '7' } }),
      expect.objectContaining({ query: { fixtures: '90' } }),
    ]);
    expect(screen.getByText('2.09')).toBeInTheDocument();
    await settle();
    expect(api).toHaveBeenCalledTimes(2);
  });

  it('are asked for again, half a minute after they could not be had, on a page that stands still', async () => {
    jest.useFakeTimers();
    const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
    api.mockRejectedValue(new Error('The site cannot be reached.'));
    const table = { fixtures: [row], timeZone: 'Europe/London', oddsDisplay: 'decimal', dated: false } as const;
    const { unmount } = render(
      <>
        <FixtureTable caption="Fixtures" {...table} />
        <OwnView />
      </>,
    );
    memberFrom(us);
    await pass(29_000);
    expect(api).toHaveBeenCalledTimes(1);
    await pass(2_000);
    expect(api).toHaveBeenCalledTimes(2);
    unmount();
    await pass(60_000);
    expect(api).toHaveBeenCalledTimes(2);
    jest.useRealTimers();
  });

  it('are not asked for at every change of the page while they cannot be had', async () => {
    api.mockRejectedValue(new Error('The site cannot be reached.'));
    render(
      <>
        <FixtureTable
          caption="Fixtures"
          fixtures={[row]}
          timeZone="Europe/London"
          oddsDisplay="decimal"
          dated={false}
        />
        <OwnView />
      </>,
    );
    memberFrom(us);
    await settle();
    for (let turn = 0; turn < 3; turn += 1) {
      document.body.append(document.createElement('p'));
      await settle();
    }
    expect(api.mock.calls.map(([path]) => path as unknown)).toEqual(['/best-odds']);
    for (const added of document.querySelectorAll('body > p')) added.remove();
  });
});
