import { useAtomValue } from 'jotai';
import { atPrice } from '@/lib/bets/rules';
import { formatOdds } from '@/lib/format';
import { movement } from '@/lib/odds/rules';
import type { ModalProps } from '../state/modals';
import { viewerAtom } from '../state/viewer';
import { Button } from '../ui/button';
import { formatsOf } from '../formats/formats';
import styles from './change-bookmaker.module.scss';
import { DeskProblem } from './desk-problem';
import { useMarkets } from './use-markets';

type ChangeBookmakerProps = ModalProps['change bookmaker'] & { onClose: () => void };

const words = { shorter: ', shortened', longer: ', drifted', same: '' };

/** Spec §2.5: the same selection at every bookmaker, the best price first; pulled prices are struck through. */
export function ChangeBookmaker({ leg, onChoose, onClose }: ChangeBookmakerProps) {
  const { view, error, again } = useMarkets(leg.fixtureReference);
  const { oddsDisplay } = formatsOf(useAtomValue(viewerAtom));
  if (!view) return error ? <DeskProblem error={error} again={again} /> : <p role="status">Loading the prices…</p>;
  const selection = view.markets.flatMap(({ selections }) => selections).find(({ id }) => id === leg.selectionId);
  const quotes = selection?.odds ?? [];
  const bookmakerOf = (id: number) => view.bookmakers.find((bookmaker) => bookmaker.id === id) ?? { id, name: '' };
  return (
    <div className={styles.change}>
      <p>
        {leg.selectionName}, {leg.marketName}
      </p>
      {quotes.length === 0 && <p>No bookmaker offers it now.</p>}
      <ul className={styles.list} aria-label={`Prices of ${leg.selectionName}`}>
        {quotes.map(({ bookmakerId, price, opening, pulled }) => {
          const bookmaker = bookmakerOf(bookmakerId);
          const isTaken = bookmakerId === leg.bookmakerId;
          const odds = formatOdds(price, oddsDisplay);
          return (
            <li key={bookmakerId}>
              <span>
                {bookmaker.name}
                {!pulled && (
                  <small>
                    {movement(opening, price) === 'same'
                      ? ''
                      : `opened at ${formatOdds(opening, oddsDisplay)}${words[movement(opening, price)]}`}
                  </small>
                )}
              </span>
              {pulled ? (
                <span className={styles.pulled}>
                  <s>{odds}</s> withdrawn
                </span>
              ) : (
                <Button
                  look={isTaken ? 'primary' : 'secondary'}
                  size="small"
                  aria-pressed={isTaken}
                  aria-label={`${odds} at ${bookmaker.name}`}
                  onClick={() => {
                    onChoose(atPrice(leg, price, bookmaker));
                    onClose();
                  }}
                >
                  {odds}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
