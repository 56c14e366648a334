import type { EachWayTerms, Price } from '@/lib/odds/schema';
import { maxSlipLegs } from '../schema/limits';
import { isSent, selectionsOf, type Sent } from './sent';

/** Spec §3: a selection in the bet slip with the price that was seen; `fraction` as it was quoted, such as '10/11', and `eachWay` the terms on offer. */
export type SlipLeg = {
  fixtureReference: string;
  fixtureName: string;
  sportReference: string;
  startsAt: string;
  marketName: string;
  selectionId: number;
  selectionName: string;
  bookmakerId: number;
  bookmakerName: string;
  oddsThousandths: number;
  fraction: string | null;
  eachWay: EachWayTerms | null;
  /** The tip that the leg came with, when its tipster set a least price for all of its legs together. */
  ofTip?: { reference: string; legs: number; minPrice: Price };
};

/** What a member sent on the legs of a slip; others who use the device neither send it nor take it away. */
export type Unanswered = { username: string; sent: Sent };

/** How the legs of a slip are backed: each by itself, or all together. */
export type SlipMode = 'singles' | 'accumulator';

/**
 * Product §5: a bet slip as it is kept on the device: its legs, what was typed as the level stake (also the accumulator's) and as stakes of
 * their own by selection, the selections backed each-way, and the words, ticks and least price of a tip. `attempts` names, by selection, the attempt to place
 * it, so that however often and from however many tabs it is sent, it is placed once; put into a slip anew it is another attempt. `unanswered` is what
 * each member sent on its legs while nobody knows what became of it; `writer` the username of whoever wrote the words and the least price.
 */
export type Slip = {
  legs: readonly SlipLeg[];
  mode: SlipMode;
  stake: string;
  ownStakes: Readonly<Record<string, string>>;
  eachWay: readonly number[];
  analysis: string;
  free: boolean;
  hidden: boolean;
  minPrice: string;
  writer: string | null;
  attempts: Readonly<Record<string, string>>;
  unanswered: readonly Unanswered[];
};

/** A slip with nothing in it. */
export const emptySlip: Slip = {
  legs: [],
  mode: 'singles',
  stake: '1',
  ownStakes: {},
  eachWay: [],
  analysis: '',
  free: true,
  hidden: false,
  minPrice: '',
  writer: null,
  attempts: {},
  unanswered: [],
};

/** What adding a selection came to. */
export type Added = 'added' | 'there' | 'full';

/** What adding a selection to the slip would come to. */
export function whatAdding(slip: Slip, leg: SlipLeg): Added {
  const own = slip.legs.find(({ selectionId }) => selectionId === leg.selectionId);
  if (own) return own.bookmakerId === leg.bookmakerId ? 'there' : 'added';
  return slip.legs.length < maxSlipLegs ? 'added' : 'full';
}

/** The slip with the selection at its end, if there is room; one that is there already takes the bookmaker and price given and keeps its place. */
export function withLeg(slip: Slip, leg: SlipLeg, attempt: string): Slip {
  const own = slip.legs.find(({ selectionId }) => selectionId === leg.selectionId);
  // A price of a page does not say the terms, which are those of the race at every bookmaker.
  if (own) return withPrice(slip, { ...leg, eachWay: leg.eachWay ?? own.eachWay });
  if (slip.legs.length >= maxSlipLegs) return slip;
  return { ...slip, legs: [...slip.legs, leg], attempts: { ...slip.attempts, [leg.selectionId]: attempt } };
}

/** The slip with another price or bookmaker on a selection that is in it. */
export function withPrice(slip: Slip, leg: SlipLeg): Slip {
  const eachWay = leg.eachWay ? slip.eachWay : slip.eachWay.filter((id) => id !== leg.selectionId);
  return { ...slip, legs: slip.legs.map((own) => (own.selectionId === leg.selectionId ? leg : own)), eachWay };
}

/** The slip as a member sees it on a device that others use too: without the words and the least price that somebody else wrote. */
export const withOwnWords = (slip: Slip, username: string): Slip =>
  slip.writer === null || slip.writer === username
    ? slip
    : { ...slip, analysis: '', minPrice: '', free: emptySlip.free, hidden: emptySlip.hidden, writer: null };

/** What this member sent from the slip while nobody knows what became of it. */
export const unansweredOf = ({ unanswered }: Pick<Slip, 'unanswered'>, username: string): Sent | null =>
  unanswered.find((each) => each.username === username)?.sent ?? null;

/** The slip with what this member sent, or without it. */
export const withUnanswered = (slip: Slip, username: string, sent: Sent | null): Slip => ({
  ...slip,
  unanswered: [...slip.unanswered.filter((each) => each.username !== username), ...(sent ? [{ username, sent }] : [])],
});

const isUnanswered = (value: unknown): value is Unanswered =>
  isRecord(value) && isText(value.username) && isSent(value.sent);

const isOnAny = (sent: Sent, legs: readonly SlipLeg[]): boolean =>
  legs.some(({ selectionId }) => selectionsOf(sent).includes(selectionId));

/** The slip without these selections; once the last has gone, so has all that was said of them. */
export function withoutLegs(slip: Slip, selectionIds: readonly number[]): Slip {
  const legs = slip.legs.filter(({ selectionId }) => !selectionIds.includes(selectionId));
  if (legs.length === 0) return { ...emptySlip, stake: slip.stake };
  const left = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).filter(([id]) => !selectionIds.includes(Number(id))));
  return {
    ...slip,
    legs,
    ownStakes: left(slip.ownStakes),
    attempts: left(slip.attempts),
    eachWay: slip.eachWay.filter((id) => !selectionIds.includes(id)),
    unanswered: slip.unanswered.filter(({ sent }) => isOnAny(sent, legs)),
  };
}

/** Product §5: the fixtures of which the slip has two legs or more, by name: these cannot be legs of one accumulator. */
export function fixturesTwice({ legs }: Pick<Slip, 'legs'>): string[] {
  const counts = new Map<string, number>();
  for (const { fixtureReference } of legs) counts.set(fixtureReference, (counts.get(fixtureReference) ?? 0) + 1);
  return [
    ...new Map(
      legs
        .filter(({ fixtureReference }) => (counts.get(fixtureReference) ?? 0) > 1)
        .map((leg) => [leg.fixtureReference, leg.fixtureName]),
    ).values(),
  ];
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isWhole = (value: unknown, least: number): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= least;

function isTerms(value: unknown): boolean {
  if (value === null) return true;
  if (!isRecord(value) || !isRecord(value.fraction)) return false;
  return (
    isWhole(value.places, 1) &&
    isWhole(value.fraction.numerator, 1) &&
    isWhole(value.fraction.denominator, 1) &&
    (value.basis === 'standard' || value.basis === 'fixed')
  );
}

function isOfTip(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isRecord(value) || !isRecord(value.minPrice)) return false;
  const { oddsThousandths, fraction } = value.minPrice;
  return (
    isText(value.reference) &&
    isWhole(value.legs, 1) &&
    isWhole(oddsThousandths, 1001) &&
    (fraction === null || (isRecord(fraction) && isWhole(fraction.numerator, 1) && isWhole(fraction.denominator, 1)))
  );
}

/** True for a leg as this version of the program writes it. */
export function isSlipLeg(value: unknown): value is SlipLeg {
  if (!isRecord(value)) return false;
  const texts = [
    'fixtureReference',
    'fixtureName',
    'sportReference',
    'startsAt',
    'marketName',
    'selectionName',
    'bookmakerName',
  ];
  return (
    texts.every((name) => isText(value[name])) &&
    !Number.isNaN(Date.parse(String(value.startsAt))) &&
    isWhole(value.selectionId, 1) &&
    isWhole(value.bookmakerId, 1) &&
    isWhole(value.oddsThousandths, 1001) &&
    (value.fraction === null || (isText(value.fraction) && /^[1-9]\d{0,6}\/[1-9]\d{0,6}$/.test(value.fraction))) &&
    isTerms(value.eachWay) &&
    isOfTip(value.ofTip)
  );
}

const textsIn = (value: unknown) =>
  Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).filter((entry): entry is [string, string] => isText(entry[1])),
  );

/** The slip in what a device kept, whichever version of the program wrote it: what cannot be read of it is left out. */
export function readSlip(stored: unknown): Slip {
  if (!isRecord(stored)) return emptySlip;
  const legs = Array.isArray(stored.legs) ? stored.legs.filter(isSlipLeg).slice(0, maxSlipLegs) : [];
  return {
    legs,
    mode: stored.mode === 'accumulator' ? 'accumulator' : 'singles',
    stake: isText(stored.stake) ? stored.stake : emptySlip.stake,
    ownStakes: textsIn(stored.ownStakes),
    eachWay: Array.isArray(stored.eachWay) ? stored.eachWay.filter((id): id is number => isWhole(id, 1)) : [],
    analysis: isText(stored.analysis) ? stored.analysis : '',
    free: stored.free !== false,
    hidden: stored.hidden === true,
    minPrice: isText(stored.minPrice) ? stored.minPrice : '',
    writer: isText(stored.writer) ? stored.writer : null,
    attempts: textsIn(stored.attempts),
    unanswered: Array.isArray(stored.unanswered) ? stored.unanswered.filter(isUnanswered) : [],
  };
}

/** The price of a leg, exact. */
export function priceOf({ oddsThousandths, fraction }: Pick<SlipLeg, 'oddsThousandths' | 'fraction'>): Price {
  const [numerator, denominator] = (fraction ?? '').split('/').map(Number);
  return { oddsThousandths, fraction: numerator && denominator ? { numerator, denominator } : null };
}

/** A price as a leg holds it. */
export function heldPrice({ oddsThousandths, fraction }: Price): Pick<SlipLeg, 'oddsThousandths' | 'fraction'> {
  return { oddsThousandths, fraction: fraction && `${fraction.numerator}/${fraction.denominator}` };
}

/** The leg at another price, or another bookmaker's. */
export function atPrice(
  leg: SlipLeg,
  price: Price,
  bookmaker: { id: number; name: string } = { id: leg.bookmakerId, name: leg.bookmakerName },
): SlipLeg {
  return { ...leg, bookmakerId: bookmaker.id, bookmakerName: bookmaker.name, ...heldPrice(price) };
}
