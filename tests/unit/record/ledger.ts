import {
  checkContent,
  commitmentOf,
  type Frontier,
  genesisHead,
  growTree,
  hashEntry,
  type LedgerItem,
  type LedgerReport,
  readLedger,
  treeRoot,
  verifyLedger,
} from '@/lib/record/rules';
import { ledgerKeyOf, signCheckpoint } from '@/lib/record/rules/checkpoint';
import { checkpointText, logKeyOf } from '@/lib/record/rules/checkpoint-note';
import { type EntryContent, type EntryDraft, firstStartOf, headAfter, sealContent } from '@/lib/record/rules/entry';
import { PortfolioHeads } from '@/lib/record/rules/heads';
import { signNoteText, writeNote } from '@/lib/record/rules/note';
import { proveConsistency, proveInclusion, treeSize } from '@/lib/record/rules/tree';
import type { VerifyOptions } from '@/lib/record/rules/verify';
import { writeLedger } from '@/lib/record/rules/write-ledger';
import type {
  Checkpoint,
  ConsistencyProof,
  LedgerEntry,
  LedgerKey,
  LedgerVerdict,
  Publication,
  Settlement,
} from '@/lib/record/schema';
import type { InclusionProof } from '@/lib/record/schema/checkpoints';
import {
  entrySchema,
  genesisHash,
  type LedgerFileFormat,
  ledgerFormat,
  type LedgerHead,
} from '@/lib/record/schema/entries';
import type { LedgerRecord, PortfolioHead } from '@/lib/record/schema/records';

/** The key pair that RFC 8037, appendix A, publishes. */
export const rfcJwk = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

/** A second key pair: that of RFC 8032, section 7.1, test 2. */
export const otherJwk = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs',
  x: 'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw',
};

export const importSigner = async (jwk: typeof rfcJwk, validFrom = '2026-01-01T00:00:00.000Z') => {
  const privateKey = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['sign']);
  const key = await ledgerKeyOf(jwk.x, validFrom);
  return { key, keyId: key.kid, privateKey };
};

export type Signer = Awaited<ReturnType<typeof importSigner>>;

export const minutesAfter = (at: string, minutes: number): string =>
  new Date(Date.parse(at) + minutes * 60_000).toISOString();

/** Numbers from 0 up to the bound, the same for the same seed (mulberry32). */
export function dice(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

const names = [
  'Rovers',
  'Atlético "B", FC',
  '=HYPERLINK("http://x")',
  '+Over 2.5',
  '-1.5',
  '@home',
  'Ünïted 🏇',
  "O'Neill, J.",
  '東京',
];

export function publicationAt(roll: (bound: number) => number, number: number, startsAt: string): Publication {
  const legs = Array.from({ length: 1 + roll(3) }, (_, leg) => ({
    fixture: `fixture-${number}-${leg}`,
    startsAt: minutesAfter(startsAt, 30 * leg),
    market: { kind: 'match-result' as const, lineHundredths: 0, period: 'full-time' as const, includesOvertime: false },
    selection: { key: ['home', 'draw', 'away'][roll(3)] ?? 'home', name: names[roll(names.length)] ?? 'Rovers' },
    bookmaker: ['bet365', 'pinnacle'][roll(2)] ?? 'coral',
    price:
      leg === 0
        ? { oddsThousandths: 1910, fraction: { numerator: 10, denominator: 11 } }
        : { oddsThousandths: 1001 + roll(9000), fraction: null },
    eachWayTerms: null,
  }));
  return { legs, stakeHundredths: 10 + roll(990), eachWay: false, analysisHash: 'ab'.repeat(32), free: roll(2) === 0 };
}

export type TipDraft = Exclude<EntryDraft, { kind: 'portfolios-counted' }>;

/** The draft as the entry after `head`, checked and sealed as `appendEntries` does. */
export async function sealEntry({ at, ...draft }: EntryDraft, head: LedgerHead): Promise<LedgerEntry> {
  const { portfolioSequence = 0, ...content } = draft as EntryContent & { portfolioSequence?: number };
  return (await sealContent(checkContent(content as EntryContent), { at, portfolioSequence }, head)).entry;
}

export const origin = 'tipledger.example/api/log';

/** A checkpoint as a signed note of the log. */
export async function noteOf(
  { sequence, root }: Pick<Checkpoint, 'sequence' | 'root'>,
  { key, privateKey }: Signer,
  name = origin,
): Promise<string> {
  const text = checkpointText({ origin: name, size: sequence, root });
  return writeNote({ text, signatures: [await signNoteText(text, await logKeyOf(name, key.x), privateKey)] });
}

/** What may become of a leg in a market without places. */
export type PlainOutcome = 'won' | 'half-won' | 'void' | 'half-lost' | 'lost';

const plainVerdicts: Record<PlainOutcome, { voidHalves: number; won: boolean }> = {
  won: { voidHalves: 0, won: true },
  'half-won': { voidHalves: 1, won: true },
  void: { voidHalves: 2, won: false },
  'half-lost': { voidHalves: 1, won: false },
  lost: { voidHalves: 0, won: false },
};

export const verdict = (outcome: PlainOutcome): LedgerVerdict => ({
  ...plainVerdicts[outcome],
  deadHeat: { numerator: 1, denominator: 1 },
  rule4Pence: 0,
});

export const noPrices = {
  closing: null,
  fairClosing: null,
  followers: { after5: null, after15: null, after60: null, close: null },
};

const worst: PlainOutcome[] = ['lost', 'half-lost', 'half-won', 'won'];

/** The profit in microunits by hand: each leg's thousandths or fraction, halves of the stake apart, rounded once. */
function profitOf({ legs, stakeHundredths }: Publication, outcomes: readonly PlainOutcome[]): bigint {
  let [top, bottom] = [BigInt(stakeHundredths) * 10_000n, 1n];
  for (const [index, { price }] of legs.entries()) {
    const odds = price.fraction
      ? [price.fraction.numerator + price.fraction.denominator, price.fraction.denominator]
      : [price.oddsThousandths, 1000];
    const [oddsTop = 0n, oddsBottom = 1n] = odds.map(BigInt);
    const { voidHalves, won } = plainVerdicts[outcomes[index] ?? 'lost'];
    top *= BigInt(voidHalves) * oddsBottom + (won ? BigInt(2 - voidHalves) * oddsTop : 0n);
    bottom *= 2n * oddsBottom;
  }
  return (2n * top + bottom) / (2n * bottom) - BigInt(stakeHundredths) * 10_000n;
}

/** The settlement of a publication whose legs came to these outcomes, the last one to the rest of them; in the older format without what it was computed from. */
export function settlementOf(
  publication: Publication,
  given: readonly PlainOutcome[],
  { older = false } = {},
): Settlement {
  const outcomes = publication.legs.map((_, index) => given[index] ?? given.at(-1) ?? 'won');
  const outcome = worst.find((one) => outcomes.includes(one)) ?? 'void';
  return {
    version: 1,
    outcome,
    stakedHundredths: outcome === 'void' ? 0 : publication.stakeHundredths,
    profitMicrounits: String(profitOf(publication, outcomes)),
    legs: publication.legs.map(({ fixture }, index) => ({
      fixture,
      outcome: outcomes[index] ?? 'won',
      rule: 'Rovers won 2–1 in 90 minutes.',
      ...(older ? {} : { facts: { win: verdict(outcomes[index] ?? 'won'), place: null, ...noPrices } }),
    })),
  };
}

/** Seals an entry whatever its date, as an operator could who changed the program. */
async function sealAsItIs(draft: EntryDraft, head: LedgerHead): Promise<LedgerEntry> {
  const entry = entrySchema.parse({
    ...draft,
    sequence: head.sequence + 1,
    previousHash: head.hash,
    hash: genesisHash,
  });
  return { ...entry, hash: await hashEntry(entry) };
}

/** A ledger in the making: entries by one clock, a tree and checkpoints. */
export class LedgerMaker {
  readonly entries: LedgerEntry[] = [];
  readonly checkpoints: Checkpoint[] = [];
  readonly notes: string[] = [];
  readonly heads = new PortfolioHeads();
  head = genesisHead;
  readonly #nodes = new Map<string, string>();
  readonly #read = async (level: number, index: number) => this.#nodes.get(`${level}/${index}`) ?? '';
  #frontier: Frontier = [];
  readonly #counts = new Map<string, number>();

  async append(draft: Omit<TipDraft, 'portfolioSequence'>): Promise<LedgerEntry> {
    const portfolioSequence = (this.#counts.get(draft.portfolio) ?? 0) + 1;
    return this.seal({ ...draft, portfolioSequence } as EntryDraft);
  }

  async seal(draft: EntryDraft): Promise<LedgerEntry> {
    const entry = await sealAsItIs(draft, this.head);
    if ('tip' in entry) {
      this.#counts.set(entry.portfolio, entry.portfolioSequence);
      this.heads.set(entry.portfolio, { entries: entry.portfolioSequence, hash: entry.hash });
    }
    this.entries.push(entry);
    this.head = headAfter(entry);
    return entry;
  }

  async sign(signer: Signer, at: string, states: { counted?: true } = {}): Promise<Checkpoint> {
    const { frontier, nodes } = await growTree(
      this.#frontier,
      this.entries.slice(treeSize(this.#frontier)).map(({ hash }) => hash),
    );
    this.#frontier = frontier;
    for (const { level, index, hash } of nodes) this.#nodes.set(`${level}/${index}`, hash);
    const checkpoint = await signCheckpoint(this.head, await treeRoot(this.#frontier), at, signer, states);
    this.checkpoints.push(checkpoint);
    this.head = { ...this.head, at: checkpoint.at };
    return checkpoint;
  }

  /** Counts the portfolios and signs that, as the program does: a checkpoint, and the same as a note. */
  async countAndSign(signer: Signer, at: string): Promise<Checkpoint> {
    await this.seal({
      kind: 'portfolios-counted',
      at,
      content: { portfolios: this.heads.size, root: await this.heads.root() },
    });
    const checkpoint = await this.sign(signer, at, { counted: true });
    this.notes.push(await noteOf(checkpoint, signer));
    return checkpoint;
  }

  /** What an export of the portfolio says of how far it had come when it was last counted; right after it was counted. */
  async headOf(portfolio: string): Promise<PortfolioHead> {
    const counted = this.entries.at(-1);
    const [head, place] = [this.heads.headOf(portfolio), await this.heads.placeOf(portfolio)];
    if (counted?.kind !== 'portfolios-counted' || !head || !place)
      throw new Error('the portfolio was not counted last');
    return { counted, proof: await this.prove(counted.sequence, counted.sequence), ...head, place };
  }

  proveConsistency(from: number, to: number): Promise<ConsistencyProof> {
    return proveConsistency(from, to, this.#read);
  }

  prove(sequence: number, size: number): Promise<InclusionProof> {
    return proveInclusion(sequence, size, this.#read);
  }
}

/** The tips of two portfolios, one a quarter of an hour: published or committed, opened, settled and now and then corrected; a checkpoint every `checkpointEvery` tips. */
export async function makeLedger(
  signer: Signer,
  {
    tips,
    checkpointEvery,
    seed = 7,
    counted = false,
  }: { tips: number; checkpointEvery: number; seed?: number; counted?: boolean },
): Promise<LedgerMaker> {
  const roll = dice(seed);
  const ledger = new LedgerMaker();
  let at = '2026-03-01T08:00:00.000Z';
  for (let number = 1; number <= tips; number += 1) {
    at = minutesAfter(at, 15);
    const subject = { portfolio: ['ann', 'bob'][roll(2)] ?? 'ann', tip: `tip-${number}` };
    const publication = publicationAt(roll, number, minutesAfter(at, 2));
    if (roll(2) === 0) {
      await ledger.append({ ...subject, at, kind: 'tip-published', content: publication });
    } else {
      const salt = Array.from({ length: 64 }, () => roll(16).toString(16)).join('');
      await ledger.append({
        ...subject,
        at,
        kind: 'tip-committed',
        content: {
          commitment: await commitmentOf({ ...subject, salt, publication }),
          opensAt: firstStartOf(publication),
        },
      });
      await ledger.append({ ...subject, at: minutesAfter(at, 3), kind: 'tip-opened', content: { salt, publication } });
    }
    const settlement = settlementOf(
      publication,
      publication.legs.map(() => worst[roll(worst.length)] ?? 'lost'),
    );
    await ledger.append({ ...subject, at: minutesAfter(at, 5), kind: 'tip-settled', content: settlement });
    if (roll(6) === 0) {
      const correction = {
        ...settlementOf(publication, ['void']),
        version: 2,
        supersedes: 1,
        reason: '=The result was changed',
        actor: 'admin' as const,
      };
      await ledger.append({ ...subject, at: minutesAfter(at, 6), kind: 'tip-corrected', content: correction });
    }
    if (number % checkpointEvery === 0)
      await (counted ? ledger.countAndSign(signer, minutesAfter(at, 7)) : ledger.sign(signer, minutesAfter(at, 7)));
  }
  return ledger;
}

/** The records of an export of the whole ledger. */
export const recordsOf = (
  { entries, checkpoints, notes = [] }: Pick<LedgerMaker, 'entries' | 'checkpoints'> & { notes?: readonly string[] },
  keys: readonly LedgerKey[],
): LedgerRecord[] => [
  { format: ledgerFormat, portfolio: null },
  ...keys.map((key) => ({ key })),
  ...checkpoints.map((checkpoint) => ({ checkpoint })),
  ...notes.slice(-1).map((note) => ({ note })),
  ...entries.map((entry) => ({ entry })),
];

/** The records of an export of one portfolio, proved under the last checkpoint. */
export async function portfolioRecordsOf(
  ledger: LedgerMaker,
  portfolio: string,
  key: LedgerKey,
): Promise<LedgerRecord[]> {
  const entries = ledger.entries.filter((entry) => 'tip' in entry && entry.portfolio === portfolio);
  const checkpoint = ledger.checkpoints.at(-1);
  const covered = entries.filter(({ sequence }) => sequence <= (checkpoint?.sequence ?? 0));
  const proofs = await Promise.all(covered.map(({ sequence }) => ledger.prove(sequence, checkpoint?.sequence ?? 0)));
  return [
    { format: ledgerFormat, portfolio },
    { key },
    ...(checkpoint ? [{ checkpoint }] : []),
    ...proofs.map((proof) => ({ proof })),
    ...entries.map((entry) => ({ entry })),
  ];
}

export async function* itemsOf(records: Iterable<LedgerRecord>): AsyncGenerator<LedgerItem> {
  let number = 0;
  for (const record of records) yield { place: `Record ${(number += 1)}`, record };
}

export const verifyRecords = (records: Iterable<LedgerRecord>, options?: VerifyOptions): Promise<LedgerReport> =>
  verifyLedger(itemsOf(records), options);

/** The text of an export. */
export async function exportText(records: Iterable<LedgerRecord>, format: LedgerFileFormat): Promise<string> {
  let text = '';
  for await (const piece of writeLedger(records, format)) text += piece;
  return text;
}

/** Bytes in pieces of the given size, cut wherever that falls. */
export async function* inPieces(content: string | Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size);
}

/** What is found in an export. */
export async function itemsIn(content: string | Uint8Array, pieceSize?: number): Promise<LedgerItem[]> {
  const items: LedgerItem[] = [];
  for await (const item of readLedger(inPieces(content, pieceSize))) items.push(item);
  return items;
}
