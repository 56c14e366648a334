import { DayList } from '@/components/fixtures/day-list';
import { ButtonLink } from '@/components/ui/button-link';
import { SectionHeading } from '@/components/ui/section-heading';
import { formatCount } from '@/lib/format';
import { writeCursor } from '@/lib/fixtures/rules';
import type { FixtureRow } from '@/lib/fixtures/schema';
import { defaultView } from '@/lib/pages/default-view';
import styles from './results-section.module.scss';

/** Ours (0050): results on a page. */
export const resultsAPage = 20;

type ResultsSectionProps = {
  results: { items: readonly FixtureRow[]; next: Parameters<typeof writeCursor>[0] | null };
  sportReference: string;
  /** Whether these are not the newest. */
  isEarlier: boolean;
  /** How many there are in all, where that is told. */
  count?: number;
  isOneLeague?: boolean;
  /** Whether they begin below the first screen of a phone. */
  whenNear?: boolean;
  hrefOf: (choice: { before?: string | undefined }) => string;
};

/** What was played last, with the way to what was played before; nothing where nothing was. */
export function ResultsSection({
  results,
  sportReference,
  isEarlier,
  count,
  isOneLeague,
  whenNear,
  hrefOf,
}: ResultsSectionProps) {
  if (results.items.length === 0) return null;
  return (
    <section aria-labelledby="results">
      <SectionHeading id="results" aside={count !== undefined && formatCount(count, 'result', 'results')}>
        Results
      </SectionHeading>
      <DayList
        fixtures={results.items}
        caption="results"
        sportReference={sportReference}
        timeZone={defaultView.timeZone}
        oddsDisplay={defaultView.oddsDisplay}
        isOneLeague={isOneLeague}
        whenNear={whenNear}
      />
      <nav aria-label="More results" className={styles.more}>
        {isEarlier && (
          <ButtonLink look="quiet" href={hrefOf({})}>
            Latest results
          </ButtonLink>
        )}
        {results.next && (
          <ButtonLink look="secondary" href={hrefOf({ before: writeCursor(results.next) })}>
            Earlier results
          </ButtonLink>
        )}
      </nav>
    </section>
  );
}
