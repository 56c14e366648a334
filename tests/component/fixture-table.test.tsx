import { render, screen, within } from '@testing-library/react';
import { FixtureTable } from '@/components/fixtures/fixture-table';
import type { FixtureRow } from '@/lib/fixtures/schema';
import { FixtureStatus, OddsDisplay } from '@/lib/reference/schema';
import { awaitingResult } from '../support/scores';

const side = (id: number, name: string) => ({ id, reference: name.toLowerCase(), name });
const best = (selectionId: number, key: string, name: string, oddsThousandths: number) => ({
  ...{ selectionId, key, name, price: { oddsThousandths, fraction: null } },
  ...{ bookmakerId: 1, bookmakerName: 'Bet One' },
});

const fixture = (more: Partial<FixtureRow> = {}): FixtureRow => ({
  ...{
    id: 1,
    reference: 'rovers-v-town-2026-03-07',
    name: 'Rovers v Town',
    sportId: 1,
    sportReference: 'football',
    sportName: 'Football',
  },
  ...{
    league: { id: 1, reference: 'northern', name: 'Northern League', sportId: 1, territory: null },
    season: '2025-26',
  },
  ...{
    home: side(1, 'Rovers'),
    away: side(2, 'Town'),
    startsAt: '2026-03-07T15:00:00.000Z',
    startTimeKnown: true,
    started: false,
  },
  score: awaitingResult,
  ...{ sources: ['demo'], demo: false },
  bestOdds: [best(1, 'home', 'Rovers', 2500), best(2, 'draw', 'Draw', 3400), best(3, 'away', 'Town', 2900)],
  ...more,
});

const race = (more: Partial<FixtureRow> = {}) =>
  fixture({
    ...{ reference: 'ascot-1500', name: 'Ascot 15:00', home: null, away: null },
    bestOdds: [
      best(1, 'ash', 'Ash', 9000),
      best(2, 'elm', 'Elm', 2200),
      best(3, 'oak', 'Oak', 5000),
      best(4, 'yew', 'Yew', 3500),
    ],
    ...more,
  });

function rows(...fixtures: FixtureRow[]): HTMLElement[] {
  render(
    <FixtureTable
      caption="Northern League"
      fixtures={fixtures}
      timeZone="Europe/London"
      oddsDisplay={OddsDisplay.decimal}
      dated={false}
    />,
  );
  return within(screen.getByRole('table', { name: 'Northern League' })).getAllByRole('row');
}

describe('a match in the table of fixtures', () => {
  it('has its sides, its time and the best price of each outcome under its head', () => {
    const [head, row] = rows(fixture());
    expect(
      within(head as HTMLElement)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['Start', 'Fixture', '1', 'X', '2']);
    expect(screen.getByRole('link', { name: 'Rovers Town' })).toHaveAttribute(
      'href',
      '/fixture/rovers-v-town-2026-03-07',
    );
    expect(
      within(row as HTMLElement)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['15:00', '2.50', '3.40', '2.90']);
  });

  it('that is played has its score beside each side', () => {
    const score = {
      ...fixture().score,
      status: FixtureStatus.complete,
      finalScore: { displayName: '2–1', homeTeamScore: 2, awayTeamScore: 1 },
    };
    const [, row] = rows(fixture({ started: true, score }));
    expect(row).toHaveTextContent('Rovers 2 Town 1');
    expect(row).not.toHaveTextContent('Result awaited');
  });

  it('that has started without a score says that its result is awaited', () => {
    expect(rows(fixture({ started: true }))[1]).toHaveTextContent('Result awaited');
  });

  it('says that it is postponed, whether its start has passed or not', () => {
    const score = { ...fixture().score, postponed: true };
    const [, ...shown] = rows(fixture({ score }), fixture({ id: 2, score, started: true }));
    for (const row of shown) {
      expect(row).toHaveTextContent('Postponed');
      expect(row).not.toHaveTextContent('Result awaited');
    }
  });

  it.each([
    ['Abandoned', { abandoned: true }, null],
    ['Town retired', { ending: 'away-retired', finish: 'Retirement' }, 'Rovers'],
    ['Rovers retired', { ending: 'home-retired', finish: 'Retirement' }, 'Town'],
  ] as const)('that was cut short says so, and who went through: %s', (said, more, winner) => {
    const finalScore = { displayName: '1–0', homeTeamScore: 1, awayTeamScore: 0 };
    const score = { ...fixture().score, status: FixtureStatus.complete, version: 1, finalScore, ...more };
    const [, row] = rows(fixture({ started: true, score }));
    expect(row).toHaveTextContent(`Rovers 1 Town 0 ${said}`);
    expect([...(row?.querySelectorAll('.winner') ?? [])].map(({ firstChild }) => firstChild?.textContent)).toEqual(
      winner === null ? [] : [`${winner} `],
    );
  });

  it.each([
    ['Abandoned', { abandoned: true }],
    ['Walkover', { ending: 'walkover', finish: 'Walkover' }],
  ] as const)('without a score that came to nothing says so: %s', (said, more) => {
    const score = { ...fixture().score, status: FixtureStatus.complete, version: 1, ...more };
    expect(rows(fixture({ started: true, score }))[1]).toHaveTextContent(said);
  });

  it('says nothing of that once it is played, or has ended', () => {
    const score = { ...fixture().score, postponed: true };
    const live = { homeTeamScore: 1, awayTeamScore: 0, period: '1st half', ended: false, scores: [], clock: null };
    const [, ...shown] = rows(
      fixture({ score: { ...score, live } as FixtureRow['score'], started: true }),
      fixture({ id: 2, score: { ...score, abandoned: true }, started: true }),
    );
    for (const row of shown) expect(row).not.toHaveTextContent('Postponed');
  });
});

describe('a race in the table of fixtures', () => {
  it('has the three shortest prices, the shortest first, and no columns of prices', () => {
    const [head, row] = rows(race());
    expect(within(head as HTMLElement).getAllByRole('columnheader')).toHaveLength(2);
    expect(screen.getByRole('rowheader')).toHaveTextContent('Ascot 15:00 Elm 2.20Yew 3.50Oak 5.00');
    expect(row).not.toHaveTextContent('Ash');
  });

  it('that was run has its winner in their place', () => {
    const positions = [
      { position: 1, name: 'Ash' },
      { position: 2, name: 'Elm' },
    ];
    const [, row] = rows(race({ started: true, score: { ...race().score, positions } }));
    expect(row).toHaveTextContent('Ascot 15:00 Won by Ash');
    expect(row).not.toHaveTextContent(/2\.20|Result awaited/);
  });

  it('that has started and has no result tells no prices, for none are on offer', () => {
    const [, row] = rows(race({ started: true }));
    expect(row).toHaveTextContent('Result awaited');
    expect(row).not.toHaveTextContent('2.20');
  });
});
