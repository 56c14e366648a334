import type { ReactNode } from 'react';
import { dayTextOfFixture, territoryBeside } from '@/lib/fixtures/rules';
import type { FixtureRow, LeagueGroup } from '@/lib/fixtures/schema';
import type { OddsDisplay } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { Badge } from '../ui/badge';
import { SiteLink } from '../ui/site-link';
import { Moment } from '../formats/moment';
import { Odds } from '../formats/odds';
import styles from './fixture-choices.module.scss';

type FixtureChoicesProps = {
  groups: readonly LeagueGroup[];
  timeZone: string;
  display: OddsDisplay;
  /** What stands beside the name of a league. */
  beside?: (leagueReference: string, name: string) => ReactNode;
};

const shown = 3;

/** The leagues of a sport with their fixtures, each leading to its prices. */
export function FixtureChoices({ groups, timeZone, display, beside }: FixtureChoicesProps) {
  return groups.map(({ league, fixtures }) => (
    <section key={league.id} className={styles.league} aria-labelledby={`league-${league.id}`}>
      <div className={styles.head}>
        <h2 id={`league-${league.id}`}>{league.name}</h2>
        {territoryBeside(league) && <span className={styles.territory}>{territoryBeside(league)}</span>}
        {fixtures.some(({ demo }) => demo) && <Badge tone="notice">Demo data</Badge>}
        {beside && <span className={styles.beside}>{beside(league.reference, league.name)}</span>}
      </div>
      <ul className={styles.fixtures}>
        {fixtures.map((fixture) => (
          <li key={fixture.id}>
            <Choice fixture={fixture} timeZone={timeZone} display={display} />
          </li>
        ))}
      </ul>
    </section>
  ));
}

function Choice({ fixture, timeZone, display }: { fixture: FixtureRow; timeZone: string; display: OddsDisplay }) {
  const { startsAt, startTimeKnown, name, home, away, bestOdds } = fixture;
  const isField = !home || !away;
  const odds = isField
    ? bestOdds.toSorted((a, b) => a.price.oddsThousandths - b.price.oddsThousandths).slice(0, shown)
    : bestOdds;
  return (
    <SiteLink href={routes.addTips(fixture.reference)} className={styles.choice}>
      <span className={styles.when}>
        {startTimeKnown ? (
          <>
            <Moment at={startsAt} style="short-day" timeZone={timeZone} />{' '}
            <Moment at={startsAt} style="time" timeZone={timeZone} />
          </>
        ) : (
          dayTextOfFixture(fixture, { timeZone, style: 'short-day' })
        )}
      </span>
      <span className={styles.name}>{name}</span>
      <span className={isField ? styles.field : styles.odds}>
        {odds.map(({ selectionId, name: selection, price, bookmakerName }) => (
          <span key={selectionId} title={`${selection} at ${bookmakerName}`}>
            {isField && <span className={styles.runner}>{selection} </span>}
            <Odds price={price} display={display} />
          </span>
        ))}
      </span>
    </SiteLink>
  );
}
