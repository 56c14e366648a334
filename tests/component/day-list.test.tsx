import { render, screen } from '@testing-library/react';
import { DayList } from '@/components/fixtures/day-list';
import styles from '@/components/fixtures/league-section.module.scss';
import type { FixtureRow } from '@/lib/fixtures/schema';
import { FixtureStatus, OddsDisplay } from '@/lib/reference/schema';

const fixtureOf = (league: number): FixtureRow => ({
  id: league,
  reference: `rovers-v-town-${league}`,
  name: 'Rovers v Town',
  sportId: 1,
  sportReference: 'football',
  sportName: 'Football',
  league: { id: league, reference: `league-${league}`, name: `League ${league}`, sportId: 1, territory: null },
  season: '2025-26',
  home: { id: 1, reference: 'rovers', name: 'Rovers' },
  away: { id: 2, reference: 'town', name: 'Town' },
  startsAt: '2026-03-07T15:00:00.000Z',
  startTimeKnown: true,
  started: false,
  score: {
    status: FixtureStatus.awaitingResult,
    finalScore: null,
    scores: [],
    positions: [],
    abandoned: false,
    postponed: false,
    ending: null,
    finish: null,
    version: 0,
    live: null,
  },
  sources: ['demo'],
  demo: false,
  bestOdds: [],
});

function laidOutWhenNear(whenNear?: boolean): boolean[] {
  render(
    <DayList
      fixtures={[1, 2, 3, 4, 5, 6].map(fixtureOf)}
      sportReference="football"
      caption="results"
      timeZone="Europe/London"
      oddsDisplay={OddsDisplay.decimal}
      whenNear={whenNear}
    />,
  );
  return screen
    .getAllByRole('heading')
    .map((heading) => heading.closest('section')?.classList.contains(styles.whenNear ?? '') ?? false);
}

test('the leagues that the first screen can hold are laid out at once, the rest when the reader comes near', () => {
  expect(laidOutWhenNear()).toEqual([false, false, false, false, true, true]);
});

test('of a list that begins below the first screen nothing is laid out at once', () => {
  expect(laidOutWhenNear(true)).toEqual([true, true, true, true, true, true]);
});
