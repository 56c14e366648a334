'use client';

import { useState } from 'react';
import type { WatchlistEntry } from '@/lib/accounts/schema/user';
import type { Currency } from '@/lib/reference/schema/currencies';
import { routes } from '@/lib/routes';
import { setMaxStake, unfollow, type Written } from '../state/auth-user';
import { showFeedback } from '../state/modals';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { SiteLink } from '../ui/site-link';
import { MaxStakeForm } from './max-stake-form';
import { failureTitle, queuedMessage } from './settings-messages';
import { unitOf } from './unit-of';
import styles from './watchlist.module.scss';

type WatchlistProps = { entries: readonly WatchlistEntry[]; currency: Currency };

/** Whom the member follows, each with the max stake and a way out. */
export function Watchlist({ entries, currency }: WatchlistProps) {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const mark = (reference: string, isGone: boolean) => setGone((all) => new Set([...all].filter((each) => each !== reference).concat(isGone ? [reference] : [])));

  async function write(change: () => Promise<Written>, said: { title: string; text: string }): Promise<boolean> {
    try {
      const written = await change();
      showFeedback({ ...(written === 'queued' ? queuedMessage : said), kind: 'success' });
      return true;
    } catch (error) {
      showFeedback({ title: failureTitle, text: error instanceof Error ? error.message : 'Try again later.', kind: 'error' });
      return false;
    }
  }

  async function leave(reference: string, name: string): Promise<void> {
    mark(reference, true);
    if (!(await write(() => unfollow(reference), { title: 'Unfollowed', text: `You no longer follow ${name}.` }))) mark(reference, false);
  }

  const shown = entries.filter(({ portfolioReference }) => !gone.has(portfolioReference));
  if (shown.length === 0) return <p>You follow nobody any more.</p>;
  return (
    <ul className={styles.list}>
      {shown.map(({ portfolioReference, name, maxStake, demo, abandoned }) => (
        <li key={portfolioReference}>
          <h2 className={styles.name}>
            <SiteLink href={routes.portfolio(portfolioReference)}>{name}</SiteLink>
          </h2>
          <p className={styles.badges}>
            {demo && <Badge tone="notice">Demo data</Badge>}
            {abandoned && <Badge>No longer kept</Badge>}
          </p>
          <MaxStakeForm
            label="Max stake"
            unit={unitOf(currency)}
            maxStake={maxStake}
            onSet={async (amount) => {
              await write(() => setMaxStake(portfolioReference, amount), { title: 'Max stake updated', text: `Your max stake for ${name} has been set to ${currency.symbol}${amount}` });
            }}
          />
          <Button look="quiet" aria-label={`Unfollow ${name}`} onClick={() => void leave(portfolioReference, name)}>
            Unfollow
          </Button>
        </li>
      ))}
    </ul>
  );
}
