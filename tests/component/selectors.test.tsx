import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import type { Desk } from '@/components/add-tips/desk-context';
import { DeskProvider } from '@/components/add-tips/desk-context';
import { Matrix } from '@/components/add-tips/matrix';
import { selectors } from '@/components/add-tips/selectors/selectors';
import { horseRacingSortAtom } from '@/components/state/preferences';
import { type MarketGroup, marketGroups } from '@/lib/fixtures/rules';
import { type FixtureDetail, type MarketKind, marketKinds, type MarketView } from '@/lib/fixtures/schema';
import { everyMarket, raceRunners } from '../support/every-market';
import { market, marketsView, quote, selection } from '../support/markets';
import { priceButtons, reachedByKeys } from '../support/price-buttons';
import { fixtureRow } from '../unit/fixtures/rows';

const side = (id: number, name: string) => ({ id, reference: name.toLowerCase(), name });
const match: FixtureDetail = {
  ...fixtureRow({ home: side(1, 'Rovers'), away: side(2, 'Town') }),
  handicap: false,
  placesKnown: 0,
  runners: [],
};

function groupOf(markets: MarketView[]): MarketGroup {
  const [group] = marketGroups(markets);
  if (!group) throw new Error('There is a market.');
  return group;
}

async function show(
  kind: MarketKind,
  {
    markets = everyMarket[kind],
    fixture = match,
    isMatrix = false,
    inSlip = null,
  }: { markets?: MarketView[]; fixture?: FixtureDetail; isMatrix?: boolean; inSlip?: Desk['inSlip'] } = {},
) {
  const choose = jest.fn<void, Parameters<Desk['choose']>>();
  const view = marketsView(markets);
  const desk: Desk = {
    ...{ fixture, view, choose, inSlip, display: 'decimal', timeZone: 'Europe/London' },
    quoteOf: ({ odds }) => odds.find(({ pulled }) => !pulled) ?? null,
    nameOf: (id) => view.bookmakers.find((bookmaker) => bookmaker.id === id)?.name ?? '',
  };
  const Selector = isMatrix ? Matrix : await selectors[kind]();
  const tree = (own: Desk) => (
    <DeskProvider value={own}>
      <Selector group={groupOf(markets)} />
    </DeskProvider>
  );
  const { rerender } = render(tree(desk));
  return { choose, show: (change: Partial<Desk>) => rerender(tree({ ...desk, ...change })) };
}

const idsOf = (markets: MarketView[]) =>
  markets.flatMap(({ selections }) => selections.map(({ id }) => id)).toSorted((a, b) => a - b);
const chosen = (choose: jest.Mock<void, Parameters<Desk['choose']>>) =>
  choose.mock.calls.map(([place]) => place.selection.id).toSorted((a, b) => a - b);

describe.each(marketKinds)('the selector of %s', (kind) => {
  test('offers every selection once, each by its name and price, to a press', async () => {
    const { choose } = await show(kind);
    for (const button of priceButtons()) fireEvent.click(button);
    expect(chosen(choose)).toEqual(idsOf(everyMarket[kind]));
    for (const [place, offered] of choose.mock.calls) expect(place.selection.odds).toContain(offered);
    for (const { selections } of everyMarket[kind]) {
      for (const { odds } of selections)
        expect(
          screen.getAllByText((_, element) => element?.textContent?.includes((odds[0]?.odds ?? 0).toFixed(2)) ?? false)
            .length,
        ).toBeGreaterThan(0);
    }
  });

  test('reaches every selection by keys alone: Tab to each grid, arrows within it', async () => {
    const { choose } = await show(kind);
    for (const grid of screen.queryAllByRole('grid')) {
      const own = priceButtons().filter((button) => grid.contains(button));
      expect(own.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
    }
    for (const button of reachedByKeys()) fireEvent.click(button);
    expect(chosen(choose)).toEqual(idsOf(everyMarket[kind]));
  });

  test('strikes a withdrawn price through and does not offer it', async () => {
    const gone = everyMarket[kind].map((own) => ({
      ...own,
      selections: own.selections.map((one) => ({ ...one, selectedOdds: null, odds: [quote(8000, { pulled: true })] })),
    }));
    await show(kind, { markets: gone });
    expect(priceButtons()).toEqual([]);
    const struck = [...document.querySelectorAll('s')].map(({ textContent }) => textContent);
    expect(struck).toEqual(idsOf(gone).map(() => '8.00'));
    expect(screen.getAllByText('withdrawn', { exact: false })).toHaveLength(idsOf(gone).length);
  });
});

test('a price says whose it is and which way it went', async () => {
  await show('moneyline', {
    markets: [
      market(1, 'moneyline', [
        selection(1, 'home', 'Rovers', [
          quote(1900, { opening: { oddsThousandths: 2100, fraction: null }, bookmakerId: 102 }),
        ]),
      ]),
    ],
  });
  expect(screen.getByRole('button', { name: /^Rovers ?, 1\.90.*shortened from 2\.10 at Bet Two$/ })).toBeVisible();
});

test('an Asian handicap shows each side its own line', async () => {
  await show('asian-handicap');
  const [, first] = within(screen.getByRole('grid', { name: 'Asian handicap' })).getAllByRole('row');
  expect(within(first as HTMLElement).getByRole('rowheader').textContent).toBe('−0.75half on −1, half on −0.5');
  expect([...(first?.querySelectorAll('button [aria-hidden]') ?? [])].map(({ textContent }) => textContent)).toEqual([
    '−0.75',
    '+0.75',
  ]);
});

test('Home, End and Control go to the ends and corners of a grid, and the grid keeps its place', async () => {
  await show('half-time-full-time');
  const buttons = within(screen.getByRole('grid')).getAllByRole('button');
  const press = (key: string, ctrlKey = false) =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key, ctrlKey });
  act(() => buttons[4]?.focus());
  press('End');
  expect(buttons[5]).toHaveFocus();
  press('Home');
  expect(buttons[3]).toHaveFocus();
  press('End', true);
  expect(buttons[8]).toHaveFocus();
  press('ArrowDown');
  expect(buttons[8]).toHaveFocus();
  press('Home', true);
  expect(buttons[0]).toHaveFocus();
  expect(buttons.map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1, -1, -1, -1, -1, -1, -1]);
});

describe('a race', () => {
  const [winner] = everyMarket['outright-winner'];
  const runner = (name: string, number: number, at: string | null = null) => ({
    ...{
      reference: name.toLowerCase(),
      name,
      number,
      startingPrice: null,
      position: null,
      selectionId: 100 + raceRunners.indexOf(name),
      jockey: null,
      trainer: null,
      weightPounds: null,
      draw: null,
      form: [],
    },
    withdrawal: at === null ? null : { at, price: { oddsThousandths: 5000, fraction: null } },
  });
  const race: FixtureDetail = {
    ...match,
    home: null,
    away: null,
    sportReference: 'horse-racing',
    runners: [...'ABCDEFG'].map((name, place) => ({ ...runner(name, place + 10), selectionId: null })),
  };
  const field: FixtureDetail = {
    ...race,
    runners: [runner('Elm', 1), runner('Ash', 2), runner('Oak', 3, '2026-03-07T12:00:00.000Z'), ...race.runners],
  };
  const order = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent?.slice(0, 3));

  test('has numbers and terms, goes by odds or by runner, and strikes out who was withdrawn', async () => {
    await show('outright-winner', { markets: winner ? [winner] : [], fixture: field });
    expect(screen.getByText('9 runners. Each-way at every bookmaker: 3 places at 1/5 of the odds.')).toBeVisible();
    expect(order().slice(0, 2)).toEqual(['Ash', 'Elm']);
    fireEvent.click(screen.getByRole('button', { name: 'By runner' }));
    expect(getDefaultStore().get(horseRacingSortAtom)).toBe('runner');
    expect(order().slice(0, 2)).toEqual(['Elm', 'Ash']);
    const out = screen.getByRole('row', { name: /Oak/ });
    expect(out.querySelector('s')).toHaveTextContent('Oak');
    expect(out).toHaveTextContent('Withdrawn Sat 7 Mar 2026, 12:00 at 5.00');
    expect(within(out).queryByRole('button')).toBeNull();
  });

  test('of many entrants that is no race can be searched', async () => {
    const many = market(
      1,
      'outright-winner',
      Array.from({ length: 20 }, (_, place) =>
        selection(place + 1, `p${place + 1}`, place === 7 ? 'J. Müller' : `Golfer ${place}`, [quote(2000 + place)]),
      ),
    );
    await show('outright-winner', {
      markets: [many],
      fixture: { ...match, home: null, away: null, sportReference: 'golf' },
    });
    fireEvent.change(screen.getByRole('searchbox', { name: 'Find an entrant' }), { target: { value: 'muller' } });
    expect(priceButtons().map(({ dataset }) => dataset.selection)).toEqual(['8']);
    fireEvent.change(screen.getByRole('searchbox', { name: 'Find an entrant' }), { target: { value: 'nobody' } });
    expect(screen.getByRole('status')).toHaveTextContent('No entrant matches that name.');
  });
});

test('the matrix has each bookmaker’s price to choose, the best of a row said, the withdrawn struck through', async () => {
  const own = market(1, 'match-result', [
    selection(1, 'home', 'Rovers', [quote(2100, { bookmakerId: 102 }), quote(2000)]),
    selection(2, 'away', 'Town', [quote(3000), quote(3100, { bookmakerId: 102, pulled: true })]),
  ]);
  const { choose } = await show('match-result', { markets: [own], isMatrix: true });
  const grid = screen.getByRole('grid', { name: 'Match result at every bookmaker' });
  expect(
    within(grid)
      .getAllByRole('button')
      .map(({ dataset }) => [dataset.selection, dataset.bookmaker])
      .toSorted(),
  ).toEqual([
    ['1', '101'],
    ['1', '102'],
    ['2', '101'],
  ]);
  expect(within(grid).getByRole('button', { name: /^Rovers ?, 2\.10 \(best price\).* at Bet Two$/ })).toBeVisible();
  fireEvent.click(within(grid).getByRole('button', { name: /^Rovers ?, 2\.00/ }));
  expect(choose.mock.calls.map(([place, { bookmakerId }]) => [place.selection.id, bookmakerId])).toEqual([[1, 101]]);
  expect(grid.querySelector('s')).toHaveTextContent('3.10');
});

test('what is in the bet slip is pressed', async () => {
  await show('both-teams-to-score', { inSlip: new Set([100]) });
  expect(priceButtons().map((button) => button.getAttribute('aria-pressed'))).toEqual(['true', 'false']);
});
