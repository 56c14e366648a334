import { useAtomValue } from 'jotai';
import { useCallback, useEffect, useState } from 'react';
import { quoteKey, selectionsOf, type SlipLeg, withPrice } from '@/lib/bets/rules';
import type { LegNow } from '@/lib/bets/schema';
import { api } from '../state/api';
import { betSlipAtom, editSlip, loadSlip, removeFromSlip, slipNow } from '../state/bet-slip';
import { isOnlineAtom } from '../state/connection';

/** The legs of the slip as they stand now, by `quoteKey`. */
export type PricesNow = ReadonlyMap<string, LegNow>;

export type PriceCheck = {
  now: PricesNow;
  /** Asks once more; gives the legs as they stand, those that had started and were dropped, and those to be backed each-way whose terms are others now. Throws an ApiError when they could not be asked for. */
  check: () => Promise<{ now: PricesNow; dropped: readonly SlipLeg[]; changed: readonly SlipLeg[] }>;
  /** The selections that were dropped since the slip was opened, because their fixtures had started. */
  dropped: readonly SlipLeg[];
  /** The selections that were to be backed each-way and can no longer be. */
  winOnly: readonly SlipLeg[];
};

/** Product §5: asks for the prices of the slip when it is opened, on focus, when the connection is back and when another leg comes in; started fixtures are dropped. */
export function usePricesNow(): PriceCheck {
  const { legs } = useAtomValue(betSlipAtom);
  const isOnline = useAtomValue(isOnlineAtom);
  const [now, setNow] = useState<PricesNow>(new Map());
  const [dropped, setDropped] = useState<readonly SlipLeg[]>([]);
  const [winOnly, setWinOnly] = useState<readonly SlipLeg[]>([]);
  const asked = legs.map(quoteKey).toSorted().join();

  const check = useCallback(async () => {
    await loadSlip();
    const own = slipNow().legs;
    if (own.length === 0) return { now: new Map<string, LegNow>(), dropped: [], changed: [] };
    const answer = await api('POST /bet-slip/prices', {
      body: { legs: own.map(({ selectionId, bookmakerId }) => ({ selectionId, bookmakerId })) },
    });
    const found = new Map(answer.legs.map((leg) => [quoteKey(leg), leg]));
    // What was sent and not answered may be recorded: it stays until that is known.
    const sent = slipNow().unanswered.flatMap((each) => selectionsOf(each.sent));
    const started = own.filter(
      (leg) => found.get(quoteKey(leg))?.state === 'started' && !sent.includes(leg.selectionId),
    );
    // Two that asked at once find the same: one of them says so.
    const held = new Set(slipNow().legs.map(quoteKey));
    const left = started.filter((leg) => held.has(quoteKey(leg)));
    if (left.length > 0) {
      removeFromSlip(...left.map(({ selectionId }) => selectionId));
      setDropped((before) => [...before, ...left]);
    }
    const { eachWay: ticked } = slipNow();
    const otherTerms = slipNow().legs.filter((leg) => takeTerms(leg, found.get(quoteKey(leg))));
    const changed = otherTerms.filter(({ selectionId }) => ticked.includes(selectionId));
    const lost = changed.filter(({ selectionId }) => !slipNow().eachWay.includes(selectionId));
    if (lost.length > 0) setWinOnly((before) => [...before, ...lost]);
    setNow(found);
    return { now: found, dropped: started, changed };
  }, []);

  useEffect(() => {
    if (!isOnline) return;
    // Without an answer the prices stay unchecked, and placing asks again.
    const look = () => void check().catch(() => undefined);
    look();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [check, isOnline, asked]);

  return { now, check, dropped, winOnly };
}

/** Takes over when the fixture of a leg starts and on which terms it is backed each-way; the leg may have another price or bookmaker by then. True where the terms were others. */
function takeTerms(leg: SlipLeg, fresh: LegNow | undefined): boolean {
  if (!fresh?.startsAt) return false;
  const { startsAt, eachWay } = fresh;
  const areOthers = JSON.stringify(eachWay) !== JSON.stringify(leg.eachWay);
  if (areOthers || startsAt !== leg.startsAt)
    void editSlip((slip) => {
      const own = slip.legs.find((each) => quoteKey(each) === quoteKey(leg));
      return own ? withPrice(slip, { ...own, startsAt, eachWay }) : slip;
    });
  return areOthers;
}
