import { movement } from '@/lib/odds/rules';
import type { Place } from '@/lib/fixtures/rules';
import type { QuoteView } from '@/lib/fixtures/schema';
import { formatOdds } from '@/lib/format';
import { singlePress } from '../ui/single-press';
import { VisuallyHidden } from '../ui/visually-hidden';
import { useDesk } from './desk-context';
import styles from './price-button.module.scss';
import { type GridCell, useRovingCell } from './roving';

type PriceButtonProps = {
  place: Place;
  /** The price to take; without it the one that stands for the selection. */
  quote?: QuoteView | null;
  /** What is shown of the selection before the price, where no heading says it. */
  name?: string;
  /** What is shown instead where only part of the name is to be seen, such as a line. */
  lead?: string;
  cell?: GridCell;
  /** True where only the price has room. */
  compact?: boolean;
  isBest?: boolean;
};

const arrows = { shorter: '▼', longer: '▲', same: '' };
const movements = { shorter: 'shortened', longer: 'drifted', same: '' };

/** A price to choose: what it is, whose it is, and which way it went; struck through, and not to be chosen, once it was withdrawn. */
export function PriceButton({ place, quote, name, lead, cell, compact = false, isBest = false }: PriceButtonProps) {
  const { display, quoteOf, nameOf, choose, inSlip } = useDesk();
  const roving = useRovingCell(cell);
  const { selection } = place;
  const offered = quote === undefined ? quoteOf(selection) : quote;
  if (!offered || offered.pulled)
    return <NoPrice place={place} quote={offered ?? selection.odds[0] ?? null} name={name ?? lead} />;
  const moved = movement(offered.opening, offered.price);
  return (
    <button
      type="button"
      className={[styles.price, compact && styles.compact, isBest && styles.best].filter(Boolean).join(' ')}
      aria-pressed={inSlip ? inSlip.has(selection.id) : undefined}
      aria-haspopup={inSlip ? undefined : 'dialog'}
      title={compact ? nameOf(offered.bookmakerId) : undefined}
      onClick={singlePress(() => choose(place, offered))}
      data-selection={selection.id}
      data-bookmaker={offered.bookmakerId}
      {...roving}
    >
      {name ? <span className={styles.name}>{name}</span> : <VisuallyHidden>{selection.name}</VisuallyHidden>}
      {lead && (
        <span aria-hidden="true" className={styles.name}>
          {lead}
        </span>
      )}
      <VisuallyHidden>, </VisuallyHidden>
      <span className={styles.odds}>
        {formatOdds(offered.price, display)}
        {isBest && <VisuallyHidden> (best price)</VisuallyHidden>}
        {moved !== 'same' && (
          <>
            <span
              aria-hidden="true"
              className={styles[moved]}
              title={`Opened at ${formatOdds(offered.opening, display)}`}
            >
              {arrows[moved]}
            </span>
            <VisuallyHidden>
              , {movements[moved]} from {formatOdds(offered.opening, display)}
            </VisuallyHidden>
          </>
        )}
      </span>
      {compact ? (
        <VisuallyHidden> at {nameOf(offered.bookmakerId)}</VisuallyHidden>
      ) : (
        <span className={styles.bookmaker}>
          <VisuallyHidden> at </VisuallyHidden>
          {nameOf(offered.bookmakerId)}
        </span>
      )}
    </button>
  );
}

function NoPrice({
  place: { selection },
  quote,
  name,
}: {
  place: Place;
  quote: QuoteView | null;
  name: string | undefined;
}) {
  const { display } = useDesk();
  return (
    <span className={styles.none}>
      {name ? <span className={styles.name}>{name}</span> : <VisuallyHidden>{selection.name}: </VisuallyHidden>}
      {quote ? (
        <span>
          <s>{formatOdds(quote.price, display)}</s>
          <VisuallyHidden> withdrawn</VisuallyHidden>
        </span>
      ) : (
        <span>
          <span aria-hidden="true">–</span>
          <VisuallyHidden>no price</VisuallyHidden>
        </span>
      )}
    </span>
  );
}
