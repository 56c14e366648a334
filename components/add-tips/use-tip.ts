import { useEffect, useRef, useState } from 'react';
import { atPrice, priceOf, type Sent, type SlipLeg, type TipToPublish } from '@/lib/bets/rules';
import type { Price } from '@/lib/odds/schema';
import { sendNoted, settleUnanswered } from '../state/publishing';
import { viewerNow } from '../state/viewer';
import { attemptKey } from './attempt-key';
import { readMinPrice } from '../state/min-price';
import { type Draft, forgetDraft, keepDraft, type TipForm } from '../state/tip-draft';
import { signInAgain, useMarkets } from './use-markets';

/** What has become of the price that was chosen: it went from one to another, or is offered no longer; `isAnswer` when publishing found it out, and not the page while something was written. */
export type Move = { from: SlipLeg; now: Price | null; isAnswer: boolean };

/** A tip that is being written. */
export type TipInHand = {
  leg: SlipLeg;
  form: TipForm;
  move: Move | null;
  hasStarted: boolean;
  /** True while nobody knows whether the last try published it. */
  isUnsure: boolean;
  published: string | null;
  change: (change: Partial<TipForm>) => void;
  take: (leg: SlipLeg) => void;
  /** Closes it and keeps what was written. */
  close: () => void;
  /** Closes it and forgets what was written. */
  drop: () => void;
  /** Publishes it; throws an Error with `fields` for what was refused. */
  publish: () => Promise<void>;
};

/** Product §5: the units that were typed in hundredths, as a tip is sent. */
export const stakeHundredthsOf = (stake: string): number => Math.round(Number(stake.replace(',', '.')) * 100);

/**
 * The tip on a price that was chosen, kept on this device as it is written. A longer price than the one chosen is taken, as the server does; a
 * shorter one, or none, waits for the tipster's word.
 */
export function useTip(chosen: SlipLeg, first: Pick<Draft, 'form' | 'unanswered'>, onClose: () => void): TipInHand {
  const [leg, setLeg] = useState(chosen);
  const [form, setForm] = useState(first.form);
  const [unanswered, setUnanswered] = useState(first.unanswered);
  const [told, setTold] = useState<Move | null>(null);
  // What the server said of this price is newer than what the page was sent before.
  const [isTold, setIsTold] = useState(false);
  const [hasStarted, setHasStarted] = useState(false);
  const [published, setPublished] = useState<string | null>(null);
  const { view, again } = useMarkets(leg.fixtureReference);
  const offered = view?.markets
    .flatMap(({ selections }) => selections.filter(({ id }) => id === leg.selectionId))
    .flatMap(({ odds }) => odds.filter(({ bookmakerId }) => bookmakerId === leg.bookmakerId))[0];
  const seen = isTold || !offered ? null : offered;
  const isLonger = seen !== null && !seen.pulled && seen.price.oddsThousandths > leg.oddsThousandths;
  const isGone = seen !== null && (seen.pulled || seen.price.oddsThousandths < leg.oddsThousandths);
  const current = isLonger ? atPrice(leg, seen.price) : leg;
  const move = told ?? (isGone ? { from: leg, now: seen.pulled ? null : seen.price, isAnswer: false } : null);

  const [isDropped, setDropped] = useState(false);

  useKeptDraft({ leg, form, isOpen: true, unanswered }, published !== null || isDropped);

  useEffect(() => {
    if (isDropped) onClose();
  }, [isDropped, onClose]);

  const drop = () => setDropped(true);

  function take(next: SlipLeg): void {
    setTold(null);
    // Another bookmaker's price was not spoken of yet.
    setIsTold(next.bookmakerId === leg.bookmakerId && isTold);
    setLeg(next);
  }

  async function note(now: Sent | null): Promise<void> {
    setUnanswered(now);
    if (viewerNow().kind === 'member') await keepDraft({ leg, form, isOpen: true, unanswered: now });
  }

  async function publish(): Promise<void> {
    const { portfolioReference, membersOnly, eachWay, analysis, hidden } = form;
    const { price: minPrice, problem } = readMinPrice(form.minPrice, [priceOf(current)]);
    if (problem) throw Object.assign(new Error(problem), { fields: { minPrice: problem } });
    const { fixtureReference, selectionId, bookmakerId, oddsThousandths } = current;
    const tip: TipToPublish = {
      legs: [{ fixtureReference, selectionId, bookmakerId, oddsThousandths }],
      stakeHundredths: stakeHundredthsOf(form.stake),
      eachWay: eachWay && leg.eachWay !== null,
      analysis: analysis.trim(),
      free: !membersOnly,
      hidden,
      ...(minPrice && { minPrice }),
    };
    const sent: Sent = { key: attemptKey(tip), portfolioReference, tip };
    const outcome = (unanswered && (await settleUnanswered(unanswered, [sent], note))) ?? (await sendNoted(sent, note));
    if (outcome.kind === 'recorded') return setPublished(outcome.reference);
    if (outcome.kind === 'moved') {
      setTold({ from: current, now: outcome.moved[0]?.now ?? null, isAnswer: true });
      setIsTold(true);
      return void again();
    }
    if (outcome.status === 401) signInAgain(fixtureReference);
    if ('legs.0.fixtureReference' in outcome.fields) return setHasStarted(true);
    throw Object.assign(new Error(outcome.message), { fields: outcome.fields });
  }

  return {
    leg: current,
    form,
    move,
    hasStarted,
    isUnsure: unanswered !== null,
    published,
    take,
    publish,
    change: (change) => setForm((all) => ({ ...all, ...change })),
    close: onClose,
    drop,
  };
}

/** Keeps what is written with every change, and that it was closed when it is; once published it is forgotten. Where nothing was written nothing is kept. */
function useKeptDraft(draft: Draft, isDone: boolean): void {
  const text = JSON.stringify(draft);
  const [first] = useState(text);
  const latest = useRef(draft);
  const isLeft = useRef(false);

  useEffect(() => {
    if (text === first && !isDone && !isLeft.current) return;
    const now = JSON.parse(text) as Draft;
    latest.current = now;
    isLeft.current = !isDone;
    // Whoever was signed out meanwhile finds it when they are back.
    if (viewerNow().kind === 'member') void (isDone ? forgetDraft(now.leg.selectionId) : keepDraft(now));
  }, [text, first, isDone]);

  useEffect(
    () => () => {
      if (isLeft.current && viewerNow().kind === 'member') void keepDraft({ ...latest.current, isOpen: false });
    },
    [],
  );
}
