import { LeagueSection } from '@/components/fixtures/league-section';
import { SiteLink } from '@/components/ui/site-link';
import { SportIcon } from '@/components/ui/sport-icon';
import { sportIcon } from '@/lib/entry/sport-icon';
import { viewing } from '@/lib/entry/viewing';
import { groupByLeague } from '@/lib/fixtures/rules/grouping';
import type { FixtureRow } from '@/lib/fixtures/schema';
import { formatCount } from '@/lib/format';
import { sports } from '@/lib/reference/schema/sports';
import { routes } from '@/lib/routes';
import styles from './sport-sections.module.scss';

type SportSectionsProps = { fixtures: readonly FixtureRow[]; caption: string; dated: boolean; perSport?: number };

/** Fixtures under their sports by rank, and under their leagues; of each sport the first `perSport` in the order given, with the way to the rest. */
export function SportSections({ fixtures, caption, dated, perSport = Infinity }: SportSectionsProps) {
  return sports
    .toSorted((a, b) => a.rank - b.rank)
    .map((sport) => ({ sport, own: fixtures.filter(({ sportId }) => sportId === sport.id) }))
    .filter(({ own }) => own.length > 0)
    .map(({ sport, own }) => (
      <div key={sport.id} className={styles.sport}>
        <p className={styles.name}>
          <SportIcon {...sportIcon(sport)} />
          <SiteLink href={routes.sport(sport.reference)}>{sport.name}</SiteLink>
        </p>
        {groupByLeague(own.slice(0, perSport)).map((group) => (
          <LeagueSection key={group.league.id} group={group} sportReference={sport.reference} caption={caption} timeZone={viewing.timeZone} oddsDisplay={viewing.oddsDisplay} dated={dated} />
        ))}
        {own.length > perSport && (
          <p className={styles.more}>
            <SiteLink href={routes.sport(sport.reference)}>
              {formatCount(own.length - perSport, 'more fixture', 'more fixtures')} in {sport.name}
            </SiteLink>
          </p>
        )}
      </div>
    ));
}
