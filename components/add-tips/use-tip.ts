import { useEffect, useRef, useState } from 'react';
import { atPrice, priceOf, type Sent, type SlipLeg, type TipToPublish } from '@/lib/bets/rules';
import type { Price } from '@/lib/odds/schema';
import { sendNoted, settleUnanswered } from '../state/publishing';
import { viewerNow } from '../state/viewer';
import { attemptKey } from './attempt-key';
import { readMinPrice } from '../state/min-price';
import { changeDraft, type Draft, forgetDraft, keepDraft, noteSent, readDraft, type TipForm } from '../state/tip-draft';
import { oneAtATime } from '../state/one-at-a-time';
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

  useKeptDraft({ leg, form }, published !== null || isDropped);

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
    if (viewerNow().kind !== 'member') return;
    await (now ? noteSent({ leg, form }, now) : changeDraft(leg.selectionId, { unanswered: null }));
  }

  /** What another tab has sent of this tip since it was opened here counts as well. */
  async function lastTry(): Promise<Sent | null> {
    const kept = await readDraft((draft) => draft.leg.selectionId === leg.selectionId);
    return kept?.unanswered ?? unanswered;
  }

  const publish = () => inTurn(leg.selectionId, publishInTurn);

  async function publishInTurn(): Promise<void> {
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
    const before = await lastTry();
    setUnanswered(before);
    const outcome = (before && (await settleUnanswered(before, [sent], note))) ?? (await sendNoted(sent, note));
    if (outcome.kind === 'recorded') {
      // The form may be closed by now.
      if (viewerNow().kind === 'member') void forgetDraft(leg.selectionId);
      return setPublished(outcome.reference);
    }
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

/** One tab at a time publishes the tip on a selection: what the one before has noted is to be known. */
const inTurn = (selectionId: number, act: () => Promise<void>): Promise<void> =>
  oneAtATime(`tipledger-tip-publishing:${selectionId}`, act);

/** Keeps what is written with every change, and that it was closed when it is; once published it is forgotten. Where nothing was written nothing is kept. */
function useKeptDraft(written: Pick<Draft, 'leg' | 'form'>, isDone: boolean): void {
  const text = JSON.stringify(written);
  const [first] = useState(text);
  const { selectionId } = written.leg;
  const isKept = useRef(false);

  useEffect(() => {
    // Whoever was signed out meanwhile finds it when they are back.
    if ((text === first && !isDone && !isKept.current) || viewerNow().kind !== 'member') return;
    isKept.current = true;
    void (isDone ? forgetDraft(selectionId) : keepDraft(JSON.parse(text) as typeof written));
  }, [text, first, isDone, selectionId]);

  useEffect(
    () => () => {
      if (viewerNow().kind === 'member') void changeDraft(selectionId, { isOpen: false });
    },
    [selectionId],
  );
}
