import 'server-only';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { singleton } from '@/lib/platform/singleton';
import { canonicalJson } from '../rules/canonical';
import { type HeadHashing, PortfolioHeads } from '../rules/heads';

type State = { heads: PortfolioHeads; sequence: number; hash: string };

type HeadRow = { portfolio: string; entries: number; hash: string };

// The same hashes at once: a hundred thousand of Web Crypto's answers take many seconds.
const hashing: HeadHashing = {
  leaf: (portfolio, head) =>
    createHash('sha256')
      .update(`\0${canonicalJson({ portfolio, ...head })}`)
      .digest('hex'),
  node: (left, right) => createHash('sha256').update('\x01').update(left, 'hex').update(right, 'hex').digest('hex'),
};

const held = singleton('portfolio-heads', () => ({
  state: null as State | null,
  turn: Promise.resolve() as Promise<unknown>,
}));

/**
 * Runs `body` with how far every portfolio had come after the first `sequence` entries. What this instance knows from the last time is
 * carried on, so that only newer entries are read; one caller after another, as they share it.
 */
export function withHeads<T>(sequence: number, body: (heads: PortfolioHeads) => Promise<T>): Promise<T> {
  const result = held.turn.catch(() => undefined).then(async () => body(await headsAt(sequence)));
  held.turn = result.catch(() => undefined);
  return result;
}

async function headsAt(sequence: number): Promise<PortfolioHeads> {
  const known =
    held.state && held.state.sequence <= sequence && (await hashAt(held.state.sequence)) === held.state.hash
      ? held.state
      : null;
  const heads = known?.heads ?? new PortfolioHeads(hashing);
  // Until all is taken over, what is half done is nobody's to carry on.
  if (known) held.state = null;
  const { rows } = await (known ? readSince(known.sequence, sequence) : readAll(sequence));
  for (const { portfolio, entries, hash } of rows) heads.set(portfolio, { entries, hash });
  const hash = await hashAt(sequence);
  if (hash !== null && (held.state?.sequence ?? 0) <= sequence) held.state = { heads, sequence, hash };
  return heads;
}

async function hashAt(sequence: number): Promise<string | null> {
  const { rows } = await sql<{ hash: string }>`select hash from ledger_entry where sequence = ${sequence}`.execute(
    database(),
  );
  return rows[0]?.hash ?? null;
}

function readSince(after: number, upTo: number) {
  return sql<HeadRow>`
    select portfolio, portfolio_sequence as entries, hash from ledger_entry
    where sequence > ${after} and sequence <= ${upTo} and portfolio is not null order by sequence
  `.execute(database());
}

function readAll(upTo: number) {
  return sql<HeadRow>`
    select distinct on (portfolio) portfolio, portfolio_sequence as entries, hash from ledger_entry
    where sequence <= ${upTo} and portfolio is not null order by portfolio, portfolio_sequence desc
  `.execute(database());
}
