import { cleanup, render, screen, within } from '@testing-library/react';
import { FixtureTips } from '@/components/fixtures/fixture-tips';
import { FormList, Meetings } from '@/components/fixtures/form-list';
import { LeagueTable } from '@/components/fixtures/league-table';
import { Scoreboard } from '@/components/fixtures/scoreboard';
import { OddsGridTable } from '@/components/odds/odds-grid';
import { oddsGrid } from '@/lib/fixtures/rules';
import { leagueTable } from '@/lib/fixtures/rules/league-table';
import { FixtureStatus } from '@/lib/reference/schema';
import type { FixtureTips as Tips, TipView } from '@/lib/tips/schema';
import { market, quote, selection } from '../support/markets';
import { awaitingResult } from '../support/scores';
import { fixtureRow } from '../unit/fixtures/rows';

const price = (oddsThousandths: number) => ({ oddsThousandths, fraction: null });

const tip: TipView = {
  reference: 'abcdefghij',
  portfolioReference: 'ann',
  portfolioName: 'Ann Football',
  publishedAt: '2026-03-10T12:00:00.000Z',
  firstStartsAt: '2026-03-10T20:00:00.000Z',
  started: false,
  stakeHundredths: 150,
  eachWay: false,
  free: true,
  hidden: false,
  legCount: 1,
  lock: null,
  legs: [
    {
      bet: 'Rovers to beat Town',
      fixtureReference: 'rovers-v-town',
      fixtureName: 'Rovers v Town',
      sportReference: 'football',
      leagueName: 'Northern League',
      startsAt: '2026-03-10T20:00:00.000Z',
      marketName: 'Match result',
      selectionId: 7,
      selectionName: 'Rovers',
      bookmakerName: 'Tarnwick',
      price: price(2500),
      priceAt: '2026-03-10T11:00:00.000Z',
      priceNow: null,
      bestNow: null,
      closingPrice: null,
      eachWayPlaces: null,
      eachWayFraction: null,
      finalScore: null,
      outcome: null,
      rule: null,
      score: { status: 'awaiting-result', finalScore: null },
      postponedUntil: null,
    },
  ],
  totalOddsThousandths: 2500,
  minPrice: null,
  analysis: null,
  settlements: [],
  followers: [],
  ledgerSequence: 1,
  demo: false,
};

const tips = (more: Partial<Tips> = {}): Tips => ({
  items: [{ tip, year: null }],
  open: 1,
  members: 0,
  hidden: 0,
  markets: [{ name: 'Match result', tips: 1, selections: [{ selectionId: 7, name: 'Rovers', tips: 1 }] }],
  came: null,
  ...more,
});

const others = { href: '/fixture/rovers-v-town?odds=US&tips=all#tips', most: 100 };
const show = (given: Tips, started = false, rest: typeof others | null = others) =>
  render(
    <FixtureTips
      tips={given}
      fixture={{ reference: 'rovers-v-town', name: 'Rovers v Town', started }}
      event="match"
      display="decimal"
      offers={new Map([[7, { price: price(2400), bookmakers: ['Copperlane', 'Tarnwick'] }]])}
      others={rest}
    />,
  );

describe('the tips on a fixture', () => {
  it('name the tipster with the record, the price taken and the best now with who offers it', () => {
    show(tips());
    const [row] = screen.getAllByRole('row').slice(1);
    expect(row).toHaveTextContent(
      'RoversMatch result · 1.50 units2.50Tarnwick2.40Copperlane and 1 moreAnn FootballNo settled tips in the past 12 months',
    );
    expect(within(row as HTMLElement).getByRole('link', { name: 'Rovers' })).toHaveAttribute(
      'href',
      '/tipster/ann/tips/abcdefghij',
    );
  });

  it('tell the locked ones by number, and lead to the rest', () => {
    show(tips({ open: 12, members: 2, hidden: 1 }));
    expect(screen.getByText(/2 more tips are for members until the start. 1 more tip is hidden/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'All 12 tips' })).toHaveAttribute('href', others.href);
    expect(screen.getByText('15 tips')).toBeInTheDocument();
  });

  it('lead to no more than are ever shown, and from there nowhere', () => {
    show(tips({ open: 130 }));
    expect(screen.getByRole('link', { name: '100 of 130 tips' })).toBeInTheDocument();
    cleanup();
    show(tips({ open: 130 }), false, null);
    expect(screen.getByText('These are the first 1 of 130 tips.')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: /130 tips/ })).toBeNull();
  });

  it('say how they did once they are settled, and that there are none where there are none', () => {
    const { unmount } = show(
      tips({
        came: { settled: 3, won: 1, lost: 1, void: 1, singles: 2, stakedHundredths: 300, profitHundredths: 50 },
      }),
      true,
    );
    expect(screen.getByText(/3 tips settled/)).toHaveTextContent(
      '3 tips settled: 1 won, 1 lost, 1 void. 2 singles at advised stakes: +0.50 units from 3.00 staked.',
    );
    unmount();
    show(tips({ items: [], open: 0, markets: [] }), true);
    expect(screen.getByText('No tips were published on this match.')).toBeInTheDocument();
  });

  it('call several legs by what bettors call them', () => {
    show(tips({ items: [{ tip: { ...tip, legCount: 2, totalOddsThousandths: 6250 }, year: null }] }));
    expect(screen.getByText(/^Double at/)).toHaveTextContent('Double at 6.25');
  });
});

describe('a grid of odds', () => {
  const bookmaker = { id: 101, reference: 'tarnwick', name: 'Tarnwick', rating: 8, exchange: false, demo: true };
  const result = market(1, 'match-result', [
    selection(3, 'away', 'Town', [quote(2100)]),
    selection(1, 'home', 'Rovers', [quote(2500)]),
    selection(2, 'draw', 'Draw', [quote(3400)]),
  ]);
  const grid = oddsGrid(result, { bookmakers: [bookmaker], startsAt: '2026-03-10T20:00:00.000Z' }, false);

  it('has home before draw before away, whatever the prices', () => {
    expect(grid.rows.map(({ name }) => name)).toEqual(['Rovers', 'Draw', 'Town']);
  });

  it('names the bookmaker of the best price, and each price by selection, price and bookmaker', () => {
    render(<OddsGridTable caption="Odds" grid={grid} display="decimal" />);
    const [, rovers] = screen.getAllByRole('row');
    expect(within(rovers as HTMLElement).getAllByRole('button', { name: 'Rovers 2.50 at Tarnwick' })).toHaveLength(2);
    expect(within(rovers as HTMLElement).getAllByRole('cell')[0]).toHaveTextContent('2.50Tarnwick');
  });
});

describe('the head of a fixture', () => {
  const side = (id: number, name: string) => ({ id, reference: name.toLowerCase(), name });
  const sides = { home: side(1, 'Ash'), away: side(2, 'Elm') };
  const over = (home: number, away: number, finish: string | null = null) => ({
    ...awaitingResult,
    status: FixtureStatus.complete,
    version: 1,
    finish,
    finalScore: { displayName: `${home}–${away}`, homeTeamScore: home, awayTeamScore: away },
  });

  it.each([
    ['boxing', over(1, 0, 'KO, round 7'), 'Ash v Elm', 'Result', 'Ash won by KO, round 7'],
    ['mma', over(0, 0), 'Ash v Elm', 'Result', 'Draw'],
    ['snooker', over(5, 3), 'Ash 5–3 Elm', 'Result', 'frames'],
    ['tennis', over(2, 1), 'Ash 2–1 Elm', 'Result', 'sets'],
    ['football', over(2, 1), 'Ash 2–1 Elm', 'Full time', 'Full time'],
    ['basketball', over(90, 88), 'Ash 90–88 Elm', 'Final', 'Final'],
  ])('of %s speaks the language of the sport', (sportReference, score, heading, state, said) => {
    render(
      <Scoreboard
        fixture={fixtureRow({ ...sides, sportReference, score, started: true })}
        timeZone="UTC"
        timeZoneName="UTC"
      />,
    );
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(heading);
    expect(screen.getByText(state)).toBeInTheDocument();
    expect(screen.getByText(said)).toBeInTheDocument();
  });

  it('of a match in which a side retired says who', () => {
    const score = { ...over(1, 0), ending: 'home-retired' as const, finish: 'Retirement' };
    const fixture = fixtureRow({ ...sides, sportReference: 'tennis', score, started: true });
    render(<Scoreboard fixture={fixture} timeZone="UTC" timeZoneName="UTC" />);
    expect(screen.getByText('Retirement')).toBeInTheDocument();
    expect(screen.getByText('Ash retired')).toBeInTheDocument();
  });

  it('without a time names the day at the place, to readers everywhere', () => {
    const day = { startsAt: '2026-03-13T23:00:00.000Z', startTimeKnown: false };
    const { container } = render(
      <Scoreboard fixture={fixtureRow({ ...sides, ...day })} timeZone="Europe/London" timeZoneName="London" />,
    );
    const when = container.querySelector('time');
    expect(when).toHaveTextContent('Sat 14 Mar 2026, time not announced');
    expect(when).toHaveAttribute('datetime', '2026-03-14');
  });
});

const won = {
  reference: 'a',
  startsAt: '2026-03-01T15:00:00.000Z',
  startTimeKnown: true,
  leagueName: 'Northern',
  homeScore: 2,
  awayScore: 1,
  ending: null,
};

it.each([
  ['football', 'Llost v Rovers 2–1away, Sun 1 Mar 2026'],
  ['tennis', 'Llost v Rovers 1–2Sun 1 Mar 2026'],
  ['boxing', 'Llost v RoversSun 1 Mar 2026'],
])('form in %s says won, drawn or lost from the side whose it is', (sportReference, said) => {
  render(
    <FormList
      sideId={2}
      timeZone="UTC"
      sportReference={sportReference}
      matches={[{ ...won, homeId: 1, homeName: 'Rovers', awayId: 2, awayName: 'Town' }]}
    />,
  );
  expect(screen.getByRole('listitem')).toHaveTextContent(said);
});

it.each([
  ['the side itself', 'Llost v Rovers 1–2Town retired, Sun 1 Mar 2026', 'away-retired'],
  ['the other side', 'Wwon v Rovers 1–2Rovers retired, Sun 1 Mar 2026', 'home-retired'],
] as const)('form says who retired, and who went through: %s', (_, said, ending) => {
  const names = { homeId: 1, homeName: 'Rovers', awayId: 2, awayName: 'Town' };
  const { container } = render(
    <>
      <FormList sideId={2} timeZone="UTC" sportReference="tennis" matches={[{ ...won, ...names, ending }]} />
      <Meetings timeZone="UTC" isBout={false} matches={[{ ...won, ...names, ending, reference: 'b' }]} />
    </>,
  );
  const [form, meeting] = screen.getAllByRole('listitem');
  expect(form).toHaveTextContent(said);
  expect(meeting).toHaveTextContent(/^Rovers 2–1 Town(Rovers|Town) retired, Sun 1 Mar 2026$/);
  expect(container.querySelectorAll('time[data-date="day"]')).toHaveLength(2);
});

describe('a league table', () => {
  const row = (name: string, wins: number, drawn: number, lost: number, scored: number, conceded: number) => ({
    ...{ reference: name.toLowerCase(), name, played: wins + drawn + lost, won: wins, drawn, scored, conceded },
  });

  it('ranks by points, then by the difference of scores, and says of how many results it is made', () => {
    const table = leagueTable(
      [row('Ash', 1, 1, 1, 3, 3), row('Elm', 1, 1, 1, 5, 3), row('Oak', 0, 4, 0, 2, 2)],
      'points',
      '2025-26',
    );
    if (!table) throw new Error('Nobody is ranked.');
    render(<LeagueTable leagueName="Northern" sportReference="football" table={table} />);
    expect(
      screen
        .getAllByRole('row')
        .slice(1)
        .map(({ textContent }) => textContent),
    ).toEqual(['1Elm3111+24', '2Ash311104', '3Oak404004']);
    expect(screen.getByText('Based on the 5 results of 2025-26 on this site.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Elm' })).toHaveAttribute('href', '/football/team/elm');
  });

  it('ranks nobody by two matches', () => {
    expect(leagueTable([row('Ash', 2, 0, 0, 3, 1), row('Elm', 0, 0, 2, 1, 3)], 'points', '2025-26')).toBeNull();
  });

  it('counts a draw half a win where there are no points', () => {
    const table = leagueTable([row('Ash', 2, 0, 2, 9, 9), row('Elm', 1, 3, 0, 9, 9)], 'wins', '2025-26');
    expect(table?.rows.map(({ name, winPercent, points }) => [name, winPercent, points])).toEqual([
      ['Elm', 62.5, null],
      ['Ash', 50, null],
    ]);
  });
});
