import { routes } from '@/lib/routes';
import type { TipView } from '@/lib/tips/schema';
import { Button } from '../ui/button';
import { ButtonLink } from '../ui/button-link';

type TipWaysProps = { tip: Pick<TipView, 'portfolioReference' | 'reference' | 'lock' | 'started'> };

/** Product §5: what a bettor can do with a tip that they see: put its legs into the slip while it is open, and log the price they took. */
export function TipWays({ tip: { portfolioReference, reference, lock, started } }: TipWaysProps) {
  if (lock) return null;
  return (
    <>
      {!started && (
        <Button
          look="secondary"
          size="small"
          data-modal="bet slip"
          data-slip-tip={`${portfolioReference}/${reference}`}
          data-event="add-to-slip"
        >
          Add to bet slip
        </Button>
      )}
      <ButtonLink
        look="secondary"
        size="small"
        href={`${routes.bets({ portfolio: portfolioReference, tip: reference })}#took-this`}
        rel="nofollow"
      >
        Log my price
      </ButtonLink>
    </>
  );
}
