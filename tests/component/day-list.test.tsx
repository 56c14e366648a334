import { render, screen } from '@testing-library/react';
import { DayList } from '@/components/fixtures/day-list';
import styles from '@/components/fixtures/league-section.module.scss';
import { OddsDisplay } from '@/lib/reference/schema';
import { fixtureRow } from '../unit/fixtures/rows';

const fixtureOf = (league: number) =>
  fixtureRow({
    id: league,
    reference: `rovers-v-town-${league}`,
    league: { id: league, reference: `league-${league}`, name: `League ${league}`, sportId: 1, territory: null },
    home: { id: 1, reference: 'rovers', name: 'Rovers' },
    away: { id: 2, reference: 'town', name: 'Town' },
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
