'use client';

import { useAtomValue } from 'jotai';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { WatchlistEntry } from '@/lib/accounts/schema';
import type { Welcome } from '@/lib/portfolios/schema';
import type { Currency } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { WelcomeText } from '../portfolios/welcome-text';
import { setMaxStake, unfollow, type Written } from '../state/auth-user';
import { isOnlineAtom } from '../state/connection';
import { showFeedback } from '../state/modals';
import { followingAtom } from '../state/viewer';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { singlePress } from '../ui/single-press';
import { SiteLink } from '../ui/site-link';
import { useAlive } from '../ui/use-alive';
import { MaxStakeForm } from './max-stake-form';
import { failureTitle, queuedMessage } from './settings-messages';
import { unitOf } from '../ui/unit-of';
import styles from './watchlist.module.scss';

type WatchlistProps = {
  entries: readonly WatchlistEntry[];
  currency: Currency;
  nobody: ReactNode;
  welcomes?: readonly Welcome[];
};

const nothing: readonly string[] = [];

/** Whom the member follows, each with the max stake and a way out; `nobody` in the place of an empty list, `welcomes` to read again. It keeps in step with follows elsewhere on the page and in other tabs. */
export function Watchlist({ entries, currency, nobody, welcomes = [] }: WatchlistProps) {
  const [left, setLeft] = useState({ entries, references: nothing });
  const list = useRef<HTMLUListElement>(null);
  const isAlive = useAlive();
  // A list that the server made anew knows who was left before.
  const gone = left.entries === entries ? left.references : nothing;
  const shown = entries.filter(({ portfolioReference }) => !gone.includes(portfolioReference));
  useInStep(shown.map(({ portfolioReference }) => portfolioReference));

  const mark = (reference: string, isGone: boolean) =>
    setLeft((before) => {
      const others = (before.entries === entries ? before.references : nothing).filter((each) => each !== reference);
      return { entries, references: isGone ? [...others, reference] : others };
    });

  async function write(change: () => Promise<Written>, said: { title: string; text: string }): Promise<boolean> {
    try {
      const written = await change();
      showFeedback({ ...(written === 'queued' ? queuedMessage : said), kind: 'success' });
      return true;
    } catch (error) {
      showFeedback({
        title: failureTitle,
        text: error instanceof Error ? error.message : 'Try again later.',
        kind: 'error',
      });
      return false;
    }
  }

  async function leave(reference: string, name: string): Promise<void> {
    mark(reference, true);
    // The button that was pressed is gone.
    list.current?.focus();
    if (!(await write(() => unfollow(reference), { title: 'Unfollowed', text: `You no longer follow ${name}.` })))
      mark(reference, false);
  }

  if (shown.length === 0) return nobody;
  return (
    <ul className={styles.list} aria-label="Tipsters you follow" ref={list} tabIndex={-1}>
      {shown.map(({ portfolioReference, name, maxStake, demo, abandoned }) => (
        <li key={portfolioReference}>
          <div className={styles.tipster}>
            <h2 className={styles.name}>
              <SiteLink href={routes.portfolio(portfolioReference)}>{name}</SiteLink>
            </h2>
            {demo && <Badge tone="quiet">Demo data</Badge>}
            {abandoned && <Badge>Closed</Badge>}
          </div>
          <MaxStakeForm
            label="Max stake"
            unit={unitOf(currency)}
            maxStake={maxStake}
            onSet={async (amount) => {
              await write(() => setMaxStake(portfolioReference, amount), {
                title: 'Max stake updated',
                text: `Your max stake for ${name} has been set to ${currency.symbol}${amount}`,
              });
            }}
          />
          {!abandoned && (
            <SiteLink
              href={routes.autobets({ portfolio: portfolioReference })}
              aria-label={`Autobet the tips of ${name}`}
            >
              Autobet
            </SiteLink>
          )}
          <Button
            look="quiet"
            aria-label={`Unfollow ${name}`}
            disabled={!isAlive}
            onClick={(event) => singlePress(() => void leave(portfolioReference, name))(event)}
          >
            Unfollow
          </Button>
          <WelcomeText
            title="Welcome to followers"
            html={welcomes.find((welcome) => welcome.portfolioReference === portfolioReference)?.followers ?? null}
          />
        </li>
      ))}
    </ul>
  );
}

/** Asks the server for the page anew, once, when the member's follows are others than those shown. */
function useInStep(shown: readonly string[]): void {
  const router = useRouter();
  const isOnline = useAtomValue(isOnlineAtom);
  const following = useAtomValue(followingAtom);
  const askedFor = useRef(following);

  useEffect(() => {
    // Without a connection the router would leave the page for one that cannot come.
    if (!isOnline || following === null || following === askedFor.current) return;
    askedFor.current = following;
    const isSame =
      following.length === shown.length &&
      following.every(({ portfolioReference }) => shown.includes(portfolioReference));
    if (!isSame) router.refresh();
  }, [following, isOnline, router, shown]);
}
