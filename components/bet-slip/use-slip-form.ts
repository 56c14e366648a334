import { useAtom, useAtomValue } from 'jotai';
import { useRef, useState } from 'react';
import {
  isPlaceable,
  type LegState,
  type Plan,
  planOf,
  priceOf,
  quoteKey,
  selectionsOf,
  type Slip,
  type SlipLeg,
  type StakeRule,
  stateOf,
  unansweredOf,
  withOwnWords,
} from '@/lib/bets/rules';
import { currencies, type Currency, CurrencyId } from '@/lib/reference/schema';
import { addressNow } from '../state/auth-navigation';
import { betSlipAtom, editSlip, freshSlip, noteRecorded, slipNow } from '../state/bet-slip';
import { openModal } from '../state/modals';
import { readMinPrice } from '../state/min-price';
import { levelStakesAtom } from '../state/preferences';
import type { Refusal } from '../state/publishing';
import type { ViewerState } from '../state/viewer';
import { type Placed, placeAll, placeUnanswered, type Placing, type Target } from './submit-slip';
import { usePricesNow } from './use-prices-now';

/** Who looks at the slip: a member, or a guest who can fill it. */
export type SlipViewer = Extract<ViewerState, { kind: 'member' | 'guest' }>;

/** Where the member wants the bets to go, as it was chosen. */
export type Choice = { as: 'tips' | 'own'; portfolioReference: string; currencyId: CurrencyId };

const unitsOf = (list: readonly Currency[]): Currency =>
  list.find(({ id }) => id === CurrencyId.UNITS) ?? {
    id: CurrencyId.UNITS,
    code: 'UNITS',
    symbol: 'u',
    name: 'Units',
    minorDigits: 2,
  };

/** Product §5: a tip stakes 0.1 to 10 units; a bet of one's own what it will. */
const tipStakes: StakeRule = { leastMinor: 10, mostMinor: 1000, minorDigits: 2 };
const ownStakes = ({ minorDigits }: Currency): StakeRule => ({ leastMinor: 1, mostMinor: 100_000_000, minorDigits });

/** A least price is set for one tip; where the slip comes to several it is not asked for. */
const minPriceIn = ({ as }: Choice, { legs, mode, minPrice }: Slip) =>
  as === 'tips' && (legs.length === 1 || mode === 'accumulator') ? readMinPrice(minPrice, legs.map(priceOf)) : {};

function targetOf(choice: Choice, slip: Slip): Target {
  const { as, portfolioReference, currencyId } = choice;
  if (as !== 'tips') return { kind: 'own', currencyId };
  const { price: minPrice } = minPriceIn(choice, slip);
  const { analysis, free, hidden } = slip;
  const words = { analysis: analysis.trim(), free, hidden, ...(minPrice && { minPrice }) };
  return { kind: 'tips', portfolioReference, words };
}

const wordsOf = (refusal: Refusal): string => {
  if (refusal.kind === 'moved')
    return 'A price moved while your slip was being sent. Accept or remove it, then record what is left.';
  return refusal.status === 0
    ? 'The connection was lost while your slip was being sent. Send it again: nothing is recorded twice.'
    : refusal.message;
};

/** Where a guest's slip goes on: it stays on the device, and is opened again once they have signed in. */
export function signInFirst(): void {
  openModal('login', { redirectTo: addressNow(), intent: { kind: 'slip' } });
}

/** The slip as its form shows it: where it goes, what it comes to, what keeps it from being placed, and what has come of placing it. */
export function useSlipForm(viewer: SlipViewer) {
  const username = viewer.kind === 'member' ? viewer.user.username : '';
  const slip = withOwnWords(useAtomValue(betSlipAtom), username);
  const [isLevel, setLevel] = useAtom(levelStakesAtom);
  const prices = usePricesNow();
  const [chosen, choose] = useState<Partial<Choice>>({});
  const [isShown, setShown] = useState(false);
  const [isPlacing, setPlacing] = useState(false);
  // A second press comes before the first has been drawn.
  const isUnderWay = useRef(false);
  const [word, setWord] = useState('');
  const [placed, setPlaced] = useState<readonly Placed[]>([]);

  const member = viewer.kind === 'member' ? viewer : null;
  const isTipster = member !== null && member.currentPortfolio !== null;
  const choice: Choice = {
    as: isTipster ? (chosen.as ?? 'tips') : 'own',
    portfolioReference: chosen.portfolioReference ?? member?.currentPortfolio ?? '',
    currencyId: chosen.currencyId ?? member?.settings.betCurrencyId ?? CurrencyId.UNITS,
  };
  const units = unitsOf(currencies);
  const currency = choice.as === 'tips' ? units : (currencies.find(({ id }) => id === choice.currencyId) ?? units);
  const plan = planFor(slip);
  const states = new Map(
    slip.legs.map((leg): [number, LegState] => [leg.selectionId, stateOf(leg, prices.now.get(quoteKey(leg)))]),
  );
  // Of what was sent and not answered it is asked first what became of it, whatever its price is now.
  const unanswered = unansweredOf(slip, username);
  const sent = unanswered ? selectionsOf(unanswered) : [];
  const areMoved = slip.legs.some(
    ({ selectionId }) => !sent.includes(selectionId) && !isPlaceable(states.get(selectionId) ?? { kind: 'unchecked' }),
  );

  function planFor(all: Slip): Plan {
    const given = withOwnWords(all, username);
    const { bets, problems } = planOf(given, choice.as === 'tips' ? tipStakes : ownStakes(currency), {
      isLevel,
      content: targetOf(choice, given),
    });
    const { problem } = minPriceIn(choice, given);
    return { bets, problems: problem ? { ...problems, minPrice: problem } : problems };
  }

  async function place(): Promise<void> {
    if (member === null) return signInFirst();
    if (isUnderWay.current) return;
    setShown(true);
    setWord('');
    if (Object.keys(plan.problems).length > 0) return;
    isUnderWay.current = true;
    setPlacing(true);
    try {
      const target = () => targetOf(choice, withOwnWords(slipNow(), username));
      const sentBefore = await placeUnanswered(username, () => planFor(slipNow()).bets, target());
      if (await take(sentBefore)) return;
      if (sentBefore.placed.length > 0 && slipNow().legs.length === 0) return setShown(false);
      const { now, dropped, changed } = await prices.check();
      if (dropped.length > 0)
        return setWord('A fixture has started, so its bet was removed. Check what is left, then record it.');
      const unplaceable = slipNow()
        .legs.map((leg) => stateOf(leg, now.get(quoteKey(leg))))
        .filter((state) => !isPlaceable(state));
      if (unplaceable.length > 0)
        return setWord(
          unplaceable.some(({ kind }) => kind === 'moved')
            ? 'A price moved. Accept or remove it, then record the slip.'
            : 'A selection isn’t on offer. Remove it, then record the slip.',
        );
      if (changed.length > 0) return setWord('Each-way terms changed. Check your slip, then record it.');
      const done = await placeAll(username, async () => planFor(await freshSlip()).bets, target());
      if (await take(done)) return;
      if (done.placed.length === 0) setWord('This slip was already recorded in another tab.');
      else setShown(false);
    } catch (error) {
      setWord(error instanceof Error ? error.message : 'Your slip could not be recorded. Try again.');
    } finally {
      isUnderWay.current = false;
      setPlacing(false);
    }
  }

  /** Shows what came of placing; true where it was refused. */
  async function take({ placed: done, refusal }: Placing): Promise<boolean> {
    setPlaced((before) => [...before, ...done]);
    if (done.some(({ kind }) => kind === 'own')) noteRecorded();
    if (!refusal) return false;
    setWord(wordsOf(refusal));
    await prices.check().catch(() => undefined);
    return true;
  }

  /** Changes what is said of the tips. */
  function write(words: Partial<Pick<Slip, 'analysis' | 'minPrice' | 'free' | 'hidden'>>): void {
    void editSlip((all) => ({ ...withOwnWords(all, username), ...words, writer: username }));
  }

  return {
    slip,
    write,
    isLevel,
    setLevel,
    prices,
    choice,
    choose: (change: Partial<Choice>) => choose((before) => ({ ...before, ...change })),
    currency,
    isTipster,
    plan,
    problems: isShown ? plan.problems : {},
    stateOfLeg: ({ selectionId }: SlipLeg): LegState => states.get(selectionId) ?? { kind: 'unchecked' },
    areMoved,
    isPlacing,
    word,
    placed,
    place,
  };
}

export type SlipForm = ReturnType<typeof useSlipForm>;
