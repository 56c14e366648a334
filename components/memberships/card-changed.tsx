import type { CardChangeView } from '@/lib/memberships/schema';
import { FormMessage } from '../ui/form-message';
import styles from './card-changed.module.scss';
import { cardWords } from './words';

/** What came of the change of a card, to whoever comes back from the provider's page. */
export function CardChanged({ change }: { change: CardChangeView }) {
  return change.status === null ? null : (
    <div className={styles.changed}>
      <Outcome change={change} />
    </div>
  );
}

function Outcome({ change: { name, state, card, status, because, payUrl } }: { change: CardChangeView }) {
  if (status === 'succeeded' && state === 'past due')
    return (
      <FormMessage kind="error">
        Your new card is kept for {name}, and the renewal could not be charged to it yet. We try it again; you can
        change the card once more.
      </FormMessage>
    );
  if (status === 'succeeded' && card !== null)
    return (
      <FormMessage kind="success">
        {name} is charged to your new card from now on: {cardWords(card)}.
      </FormMessage>
    );
  if (status === 'succeeded')
    return <FormMessage kind="error">{name} is no longer charged, so your new card is not used.</FormMessage>;
  if (status === 'failed' || status === 'cancelled')
    return (
      <FormMessage kind="error">
        The card of {name} was not changed. {because}
      </FormMessage>
    );
  return (
    <p>
      {status === 'pending' ? (
        `Your new card for ${name} is being checked. Check again in a minute.`
      ) : (
        <>
          The card of {name} is not changed yet. {payUrl !== null && <a href={payUrl}>Enter the new card</a>}
        </>
      )}
    </p>
  );
}
