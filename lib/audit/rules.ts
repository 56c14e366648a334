import { canonicalJson, commitmentOf, type Json } from '@/lib/record/rules';
import type { LedgerEntry, Publication } from '@/lib/record/schema';
import { PortfolioVisibility, sports } from '@/lib/reference/schema';

const isSame = (one: unknown, other: unknown) => canonicalJson(one as Json) === canonicalJson(other as Json);

type TipEntry = Extract<LedgerEntry, { tip: string }>;

type StoredLeg = Record<
  'fixture' | 'startsAt' | 'market' | 'selection' | 'bookmaker' | 'price' | 'eachWayTerms',
  unknown
> & { details: Record<string, unknown>; position: number; sameFixture: boolean; sameMarket: boolean };

type StoredSettlement = {
  version: number;
  sequence: number | null;
  outcome: string;
  stakedHundredths: number;
  returnMicrounits: string;
  profitMicrounits: string;
  levelStakedHundredths: number;
  levelProfitMicrounits: string;
  legs: { kind: string; outcome?: string; rule: string }[];
  facts?: unknown[] | null;
  reason: string | null;
  actor: string;
  settledAt: string;
  unknownResults: number;
};

/** A tip as its tables have it, with the entries on the record that name it. */
export type RecordedTip = {
  reference: string;
  portfolio: string;
  visibility: number;
  publishedAt: string;
  firstStartsAt: string;
  stakeHundredths: number;
  eachWay: boolean;
  free: boolean;
  hidden: boolean;
  analysisHash: string;
  publication: Publication;
  isOpen: boolean;
  /** It waits since it could not be settled, or not settled anew by a corrected result. */
  isSetAside: boolean;
  legs: StoredLeg[] | null;
  entries: TipEntry[];
  commitment: { salt: string; publication: string; opensAt: string; openedAt: string | null } | null;
  settlements: StoredSettlement[];
};

// Entries of the first format have no details, and may be dated after what they record.
const isOfFirstFormat = ({ legs }: Publication) => legs.some(({ details }) => details === undefined);
const withoutDetails = (publication: Publication) => ({
  ...publication,
  legs: publication.legs.map(({ details: _, ...leg }) => leg),
});
const saysTheSame = (sealed: Publication, own: Publication) =>
  isOfFirstFormat(sealed) ? isSame(withoutDetails(sealed), withoutDetails(own)) : isSame(sealed, own);

function* problemsOfColumns(tip: RecordedTip): Generator<string> {
  const { publication } = tip;
  const legs = tip.legs ?? [];
  if (publication.stakeHundredths !== tip.stakeHundredths) yield 'has another stake than it was published with';
  if (publication.eachWay !== tip.eachWay) yield 'is each-way otherwise than it was published';
  if (publication.free !== tip.free) yield 'is free otherwise than it was published';
  if (publication.analysisHash !== tip.analysisHash) yield 'has another analysis than it was published with';
  if (legs.length !== publication.legs.length)
    yield `has ${legs.length} legs, where ${publication.legs.length} were published`;
  if (tip.firstStartsAt !== publication.legs.map(({ startsAt }) => startsAt).sort()[0])
    yield 'begins at another time than it was published with';
  for (const [index, leg] of legs.entries()) {
    const sealed = publication.legs[index];
    if (!sealed) continue;
    const { details, position, sameFixture, sameMarket, ...bet } = leg;
    const { details: sealedDetails, ...sealedBet } = sealed;
    if (position !== index + 1 || !sameFixture || !sameMarket || !isSame(bet, sealedBet))
      yield `has another bet in leg ${index + 1} than it was published with`;
    if (!sealedDetails) continue;
    const { listedKeys: _, ...shown } = sealedDetails;
    if (!isSame({ ...details, sport: sports.find(({ id }) => id === details.sport)?.reference }, shown))
      yield `names leg ${index + 1} otherwise than it was published`;
  }
}

async function* problemsOfPublication(tip: RecordedTip): AsyncGenerator<string> {
  const { portfolio } = tip;
  const commitment = tip.commitment && {
    ...tip.commitment,
    publication: JSON.parse(tip.commitment.publication) as Publication,
  };
  const first = tip.entries.filter(({ kind }) => kind === 'tip-published' || kind === 'tip-committed');
  const opened = tip.entries.find(({ kind }) => kind === 'tip-opened');
  const [entry] = first;
  if (!entry || first.length > 1) return yield first.length > 1 ? 'was entered twice' : 'is not on the record';
  if (tip.entries.some((each) => each.portfolio !== portfolio)) yield 'stands in another portfolio on the record';
  const sealed = entry.kind === 'tip-published' ? entry.content : commitment?.publication;
  if (!sealed) return yield 'lacks what opens its commitment';
  if (!saysTheSame(sealed, tip.publication)) yield 'says something else than was recorded';
  if (isOfFirstFormat(sealed) ? entry.at < tip.publishedAt : entry.at !== tip.publishedAt)
    yield 'was published at another time than was recorded';
  if (entry.kind === 'tip-published') {
    if (commitment) yield 'was recorded whole and yet has a commitment';
    if (tip.hidden) yield 'is hidden, and was recorded whole';
    return;
  }
  if (entry.kind !== 'tip-committed' || !commitment) return;
  if (
    entry.content.commitment !==
    (await commitmentOf({ portfolio, tip: tip.reference, salt: commitment.salt, publication: commitment.publication }))
  )
    yield 'does not open the commitment that was recorded';
  if (entry.content.opensAt !== commitment.opensAt) yield 'opens at another time than was recorded';
  if ((opened?.at ?? null) !== commitment.openedAt && !(opened && isOfFirstFormat(sealed)))
    yield 'was opened otherwise than was recorded';
  if (tip.free && !tip.hidden) yield 'is for everybody, and was recorded as a commitment';
}

function* problemsOfAmounts(tip: RecordedTip, settlement: StoredSettlement): Generator<string> {
  const name = `version ${settlement.version} of its settlement`;
  const parts = tip.eachWay ? 2n : 1n;
  const [profit, level, returned] = [
    BigInt(settlement.profitMicrounits),
    BigInt(settlement.levelProfitMicrounits),
    BigInt(settlement.returnMicrounits),
  ];
  const [stake, levelStake] = [BigInt(tip.stakeHundredths) * parts, 100n * parts];
  const isVoid = settlement.outcome === 'void';
  if (
    BigInt(settlement.stakedHundredths) !== (isVoid ? 0n : stake) ||
    BigInt(settlement.levelStakedHundredths) !== (isVoid ? 0n : levelStake)
  )
    yield `had other stakes in ${name} than it was published with`;
  if (returned !== profit + stake * 10_000n) yield `returns another amount in ${name} than its profit and stake`;
  // Each is rounded by itself, to a millionth of a unit.
  const difference = level * stake - profit * levelStake;
  if ((difference < 0n ? -difference : difference) > stake + levelStake)
    yield `has another profit at a level stake in ${name} than at its own`;
  if (settlement.unknownResults > 0) yield `was settled in ${name} by a result that is not there`;
}

function* problemsOfSettlements(tip: RecordedTip, isRecorded: boolean): Generator<string> {
  const recorded = tip.entries.flatMap((entry) =>
    entry.kind === 'tip-settled' || entry.kind === 'tip-corrected' ? [entry] : [],
  );
  if (isRecorded && recorded.length !== tip.settlements.length)
    yield `has ${tip.settlements.length} settlements, where ${recorded.length} were recorded`;
  for (const [index, own] of tip.settlements.entries()) {
    const name = `version ${own.version} of its settlement`;
    if (own.version !== index + 1) yield `lacks version ${index + 1} of its settlement`;
    yield* problemsOfAmounts(tip, own);
    const entry = recorded[index];
    if (!isRecorded || !entry) continue;
    const { content } = entry;
    const corrected = entry.kind === 'tip-corrected' ? entry.content : null;
    const said = [
      entry.sequence,
      content.version,
      content.outcome,
      content.stakedHundredths,
      content.profitMicrounits,
      corrected?.reason ?? null,
      corrected?.actor ?? 'system',
    ];
    if (
      !isSame(said, [
        own.sequence,
        own.version,
        own.outcome,
        own.stakedHundredths,
        own.profitMicrounits,
        own.reason,
        own.actor,
      ])
    )
      yield `has ${name} otherwise than it was recorded`;
    if (entry.at !== own.settledAt && !(own.facts === undefined || own.facts === null))
      yield `was settled in ${name} at another time than was recorded`;
    const legs = content.legs.map(({ outcome, rule }) => [outcome, rule]);
    if (
      !isSame(
        legs,
        own.legs.map((leg) => [leg.kind === 'settled' ? leg.outcome : 'undecided', leg.rule]),
      )
    )
      yield `has legs in ${name} otherwise than they were recorded`;
    const facts = content.legs.flatMap((leg) => leg.facts ?? []);
    if (!isSame(facts, own.facts ?? [])) yield `has ${name} computed from something else than was recorded`;
  }
  if (tip.isOpen && tip.settlements.length > 0 && !tip.isSetAside) yield 'waits for a settlement that it has';
  if (!tip.isOpen && tip.settlements.length === 0) yield 'does not wait for its settlement';
}

/** What a tip's rows say otherwise than its entries on the record, or than each other; each the end of a sentence that begins with the tip. */
export async function problemsOfTip(tip: RecordedTip): Promise<string[]> {
  const problems = [...problemsOfColumns(tip)];
  const isRecorded = tip.visibility !== PortfolioVisibility.personal;
  if (isRecorded) for await (const problem of problemsOfPublication(tip)) problems.push(problem);
  else if (tip.entries.length > 0 || tip.commitment) problems.push('is personal, and yet on the record');
  return [...problems, ...problemsOfSettlements(tip, isRecorded)];
}
