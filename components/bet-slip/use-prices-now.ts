import { useAtomValue } from 'jotai';
import { useCallback, useEffect, useState } from 'react';
import { quoteKey, type SlipLeg } from '@/lib/bets/rules';
import type { LegNow } from '@/lib/bets/schema';
import { api } from '../state/api';
import { betSlipAtom, loadSlip, removeFromSlip, repriceInSlip, slipNow } from '../state/bet-slip';
import { isOnlineAtom } from '../state/connection';

/** The legs of the slip as they stand now, by `quoteKey`. */
export type PricesNow = ReadonlyMap<string, LegNow>;

export type PriceCheck = {
  now: PricesNow;
  /** Asks once more; gives the legs as they stand, and those that had started and were dropped. Throws an ApiError when they could not be asked for. */
  check: () => Promise<{ now: PricesNow; dropped: readonly SlipLeg[] }>;
  /** The selections that were dropped since the slip was opened, because their fixtures had started. */
  dropped: readonly SlipLeg[];
};

/** Product §5: asks for the prices of the slip when it is opened, on focus, when the connection is back and when another leg comes in; started fixtures are dropped. */
export function usePricesNow(): PriceCheck {
  const { legs } = useAtomValue(betSlipAtom);
  const isOnline = useAtomValue(isOnlineAtom);
  const [now, setNow] = useState<PricesNow>(new Map());
  const [dropped, setDropped] = useState<readonly SlipLeg[]>([]);
  const asked = legs.map(quoteKey).toSorted().join();

  const check = useCallback(async () => {
    await loadSlip();
    const own = slipNow().legs;
    if (own.length === 0) return { now: new Map<string, LegNow>(), dropped: [] };
    const answer = await api('POST /bet-slip/prices', {
      body: { legs: own.map(({ selectionId, bookmakerId }) => ({ selectionId, bookmakerId })) },
    });
    const found = new Map(answer.legs.map((leg) => [quoteKey(leg), leg]));
    const started = own.filter((leg) => found.get(quoteKey(leg))?.state === 'started');
    // Two that asked at once find the same: one of them says so.
    const held = new Set(slipNow().legs.map(quoteKey));
    const left = started.filter((leg) => held.has(quoteKey(leg)));
    if (left.length > 0) {
      removeFromSlip(...left.map(({ selectionId }) => selectionId));
      setDropped((before) => [...before, ...left]);
    }
    for (const leg of own) {
      const fresh = found.get(quoteKey(leg));
      if (
        fresh?.startsAt &&
        !started.includes(leg) &&
        (fresh.startsAt !== leg.startsAt || JSON.stringify(fresh.eachWay) !== JSON.stringify(leg.eachWay))
      )
        repriceInSlip({ ...leg, startsAt: fresh.startsAt, eachWay: fresh.eachWay });
    }
    setNow(found);
    return { now: found, dropped: started };
  }, []);

  useEffect(() => {
    if (!isOnline) return;
    // Without an answer the prices stay unchecked, and placing asks again.
    const look = () => void check().catch(() => undefined);
    look();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [check, isOnline, asked]);

  return { now, check, dropped };
}
