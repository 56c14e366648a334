import { LeagueSection } from '@/components/fixtures/league-section';
import { SportGrid } from '@/components/fixtures/sport-grid';
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

type SportSectionsProps = {
  fixtures: readonly FixtureRow[];
  caption: string;
  dated: boolean;
  /** How many fixtures of each sport stand here, and of how many sports; the rest is a link away. */
  perSport?: number;
  shownSports?: number;
};

/** Fixtures under their sports by rank, and under their leagues; of each sport the first in the order given, with the way to the rest. */
export function SportSections({ fixtures, caption, dated, perSport = Infinity, shownSports = Infinity }: SportSectionsProps) {
  const all = sports
    .toSorted((a, b) => a.rank - b.rank)
    .map((sport) => ({ sport, own: fixtures.filter(({ sportId }) => sportId === sport.id) }))
    .filter(({ own }) => own.length > 0);
  const others = all.slice(shownSports);
  return (
    <>
      <div className={styles.columns}>
        {all.slice(0, shownSports).map(({ sport, own }) => (
          <div key={sport.id} className={styles.sport}>
            <div className={styles.inside}>
              <p className={styles.name}>
                <SportIcon {...sportIcon(sport)} />
                <SiteLink href={routes.sport(sport.reference)}>{sport.name}</SiteLink>
              </p>
              <div>
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
            </div>
          </div>
        ))}
      </div>
      {others.length > 0 && (
        <SportGrid sports={others.map(({ sport, own }) => ({ href: routes.sport(sport.reference), name: sport.name, icon: sportIcon(sport), coming: own.length }))} />
      )}
    </>
  );
}
