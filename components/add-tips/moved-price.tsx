import { useAtomValue } from 'jotai';
import { useEffect, useRef } from 'react';
import { atPrice, priceOf, type SlipLeg } from '@/lib/bets/rules';
import { formatMove, formatOdds } from '@/lib/format';
import { viewerAtom } from '../state/viewer';
import { Button } from '../ui/button';
import { formatsOf } from '../formats/formats';
import styles from './moved-price.module.scss';
import type { Move } from './use-tip';

type MovedPriceProps = {
  move: Move;
  isUnsure: boolean;
  onTake: (leg: SlipLeg) => void;
  onDrop: () => void;
  onOther: () => void;
};

const unsure = 'Your last try got no answer. Press Publish to see whether it was published.';

/** Product §5: the price went from what was chosen to what it is now, or is gone; the tipster decides. */
export function MovedPriceNotice({
  move: { from, now, isAnswer },
  isUnsure,
  onTake,
  onDrop,
  onOther,
}: MovedPriceProps) {
  const { oddsDisplay } = formatsOf(useAtomValue(viewerAtom));
  const decision = useRef<HTMLButtonElement>(null);
  const [old, fresh] = now
    ? formatMove(priceOf(from), now, oddsDisplay)
    : [formatOdds(priceOf(from), oddsDisplay), null];

  // Whoever is writing keeps the focus: the next key must not take the price.
  useEffect(() => {
    if (isAnswer) decision.current?.focus();
  }, [isAnswer, fresh]);

  return (
    <div role="alert" className={styles.moved}>
      {fresh === null ? (
        <p>
          {from.bookmakerName} no longer offers <s>{old}</s>.{' '}
          {isUnsure ? unsure : 'Nothing was published, and nothing that you wrote is lost.'}
        </p>
      ) : (
        <p>
          The price moved: <s>{old}</s> → <strong>{fresh}</strong> at {from.bookmakerName}.{' '}
          {isUnsure ? unsure : 'Nothing has been published yet.'}
        </p>
      )}
      <div className={styles.actions}>
        {now && (
          <Button ref={decision} size="small" onClick={() => onTake(atPrice(from, now))}>
            Accept {fresh}
          </Button>
        )}
        <Button ref={now ? undefined : decision} look="secondary" size="small" onClick={onOther}>
          Other bookmakers
        </Button>
        <Button look="secondary" size="small" onClick={onDrop}>
          Discard this tip
        </Button>
      </div>
    </div>
  );
}
