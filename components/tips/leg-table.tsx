import type { OddsDisplay } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import type { TipView } from '@/lib/tips/schema';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { VisuallyHidden } from '../ui/visually-hidden';
import { tipLegMark } from '../formats/marks';
import { Moment } from '../formats/moment';
import { Odds } from '../formats/odds';
import styles from './leg-table.module.scss';
import { OutcomeBadge } from '../ui/outcome-badge';
import { Term } from '../ui/term';

type LegTableProps = { tip: Pick<TipView, 'reference' | 'legs'>; timeZone: string; oddsDisplay: OddsDisplay };

const isOpen = ({ outcome, finalScore, closingPrice }: TipView['legs'][number]) =>
  outcome === null && finalScore === null && closingPrice === null;

/** The legs of a tip: the price taken, the best one now at the reader’s bookmakers and the one at the close, and what became of each with the rule it was settled by. */
export function LegTable({ tip: { reference, legs }, timeZone, oddsDisplay }: LegTableProps) {
  return (
    <Table caption="Legs" captionHidden narrow="stack">
      <thead>
        <tr>
          <th scope="col">Selection</th>
          <FigureHead>Taken</FigureHead>
          <FigureHead term="best-price">Best now</FigureHead>
          <FigureHead term="closing-price">Closing</FigureHead>
          <th scope="col">
            <Term of="settlement">Outcome</Term>
          </th>
        </tr>
      </thead>
      <tbody>
        {legs.map((leg, index) => (
          <tr key={leg.fixtureReference}>
            <th scope="row" className={styles.selection}>
              <a
                href={routes.fixture(leg.fixtureReference)}
                className={styles.history}
                data-modal="historical odds"
                data-fixture={leg.fixtureReference}
                data-selection={leg.selectionId}
                data-taken={leg.price.oddsThousandths}
                data-taken-at={leg.priceAt}
                data-bookmaker={leg.bookmakerName}
                data-event="price-history"
              >
                {leg.selectionName}
                <VisuallyHidden>, price history</VisuallyHidden>
              </a>
              <span>{leg.marketName}</span>
              <span>
                <SiteLink href={routes.fixture(leg.fixtureReference)}>{leg.fixtureName}</SiteLink>
                {leg.finalScore && ` ${leg.finalScore}`} · {leg.leagueName}
              </span>
              <span>
                <Moment at={leg.startsAt} style="day-time" timeZone={timeZone} />
              </span>
              {leg.eachWayFraction && (
                <span>
                  <Term of="each-way">Each-way</Term>, {leg.eachWayPlaces} places at {leg.eachWayFraction}
                </span>
              )}
            </th>
            <FigureCell data-label="Taken">
              <strong>
                <Odds price={leg.price} display={oddsDisplay} />
              </strong>
              <span className={styles.book}>{leg.bookmakerName}</span>
            </FigureCell>
            <FigureCell data-label="Best now">
              {isOpen(leg) ? (
                <span {...{ [tipLegMark]: `${reference}:${index}` }}>
                  <span>{leg.bestNow ? <Odds price={leg.bestNow.price} display={oddsDisplay} /> : '–'}</span>
                  <span className={styles.book}>{leg.bestNow?.bookmakerName}</span>
                </span>
              ) : (
                '–'
              )}
            </FigureCell>
            <FigureCell data-label="Closing">
              {leg.closingPrice ? <Odds price={leg.closingPrice} display={oddsDisplay} /> : '–'}
            </FigureCell>
            <td className={styles.outcome}>
              {leg.outcome ? (
                <OutcomeBadge outcome={leg.outcome} explained />
              ) : leg.postponedUntil ? (
                'Postponed'
              ) : (
                'Open'
              )}
              {leg.postponedUntil && (
                <span>
                  Void unless it starts by <Moment at={leg.postponedUntil} style="day-time" timeZone={timeZone} />
                </span>
              )}
              {leg.rule && <span>{leg.rule}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
