import { LeagueSection } from '@/components/fixtures/league-section';
import { SportGrid } from '@/components/fixtures/sport-grid';
import { SiteLink } from '@/components/ui/site-link';
import { SportIcon } from '@/components/ui/sport-icon';
import { sportIcon } from '@/lib/pages/sport-icon';
import { defaultView } from '@/lib/pages/default-view';
import { groupByLeague } from '@/lib/fixtures/rules';
import type { FixtureRow } from '@/lib/fixtures/schema';
import { formatCount } from '@/lib/format';
import { sports } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import styles from './sport-sections.module.scss';

type SportSectionsProps = {
  fixtures: readonly FixtureRow[];
  caption: string;
  dated: boolean;
  /** How many fixtures of each sport there are in all, where those given are the first alone; the rest is a link away. */
  counts?: ReadonlyMap<number, number>;
  /** Of how many sports they stand here. */
  shownSports?: number;
};

/** Fixtures under their sports by rank, and under their leagues, with the way to the rest of a sport. */
export function SportSections({ fixtures, caption, dated, counts, shownSports = Infinity }: SportSectionsProps) {
  const all = sports
    .toSorted((a, b) => a.rank - b.rank)
    .map((sport) => ({
      sport,
      own: fixtures.filter(({ sportId }) => sportId === sport.id),
      count: counts?.get(sport.id) ?? 0,
    }))
    .filter(({ own }) => own.length > 0);
  const others = all.slice(shownSports);
  return (
    <>
      <div className={styles.columns}>
        {all.slice(0, shownSports).map(({ sport, own, count }) => (
          <div key={sport.id} className={styles.sport}>
            <div className={styles.inside}>
              <p className={styles.name}>
                <SportIcon {...sportIcon(sport)} />
                <SiteLink href={routes.sport(sport.reference)}>{sport.name}</SiteLink>
              </p>
              <div>
                {groupByLeague(own).map((group) => (
                  <LeagueSection
                    key={group.league.id}
                    group={group}
                    sportReference={sport.reference}
                    caption={caption}
                    timeZone={defaultView.timeZone}
                    oddsDisplay={defaultView.oddsDisplay}
                    dated={dated}
                    whenNear
                  />
                ))}
                {count > own.length && (
                  <p className={styles.more}>
                    <SiteLink href={routes.sport(sport.reference)}>
                      {formatCount(count - own.length, 'more fixture', 'more fixtures')} in {sport.name}
                    </SiteLink>
                  </p>
                )}
              </div>
            </div>
          </div>
        ))}
      </div>
      {others.length > 0 && (
        <SportGrid
          sports={others.map(({ sport, count }) => ({
            href: routes.sport(sport.reference),
            name: sport.name,
            icon: sportIcon(sport),
            coming: count,
          }))}
        />
      )}
    </>
  );
}
