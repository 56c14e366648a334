import type { z } from 'zod';
import { recordSchemas, type LedgerRecord, type RecordKind } from '../schema/records';
import { canonicalJson, type Json } from './canonical';
import type { Problem } from './problem';

/** One thing found in an export, with its place for people ("Line 12"): a record, or what is wrong there. */
export type LedgerItem = { place: string; record: LedgerRecord } | { place: string; problem: Problem };

/** An item that cannot be read at all. */
export function unreadable(place: string, sentence: string): LedgerItem {
  return { place, problem: { kind: 'unreadable', sequence: null, sentence: `${place}: ${sentence}` } };
}

/** Text of an export as it is repeated in a message: short, in quotation marks, without control characters. */
export function quoted(text: string): string {
  const clean = text.replace(/\p{C}/gu, '�');
  return `"${clean.length > 60 ? `${clean.slice(0, 60)}…` : clean}"`;
}

const kinds = Object.keys(recordSchemas) as RecordKind[];

function kindOf(value: unknown): RecordKind | undefined {
  return typeof value === 'object' && value !== null ? kinds.find((kind) => Object.hasOwn(value, kind)) : undefined;
}

function firstIssue({ issues }: z.ZodError, kind: RecordKind): string {
  const [issue] = issues;
  const path = issue?.path.filter((step, index) => index > 0 || step !== kind).join('.') ?? '';
  return `${path === '' ? kind : path}: ${issue?.message ?? 'is not valid'}`;
}

function sequenceIn(value: unknown): number | null {
  const entry: unknown = (value as { entry?: unknown }).entry;
  const sequence: unknown = typeof entry === 'object' && entry !== null && 'sequence' in entry ? entry.sequence : null;
  return Number.isSafeInteger(sequence) ? (sequence as number) : null;
}

/** The record in a parsed JSON value, exactly: no field more, none less, none that could be read in two ways. `text` is the value's own text where it must be canonical. */
export function readRecord(place: string, value: unknown, text?: string): LedgerItem {
  const kind = kindOf(value);
  if (!kind) return unreadable(place, `is not a record of the ledger; one of ${kinds.join(', ')} must be in it.`);
  const parsed = recordSchemas[kind].safeParse(value);
  if (!parsed.success) {
    const sequence = sequenceIn(value);
    const name = sequence === null ? '' : ` (entry ${sequence})`;
    return {
      place,
      problem: { kind: 'malformed', sequence, sentence: `${place}${name}: ${firstIssue(parsed.error, kind)}.` },
    };
  }
  const record: LedgerRecord = parsed.data;
  if (canonicalJson(record) !== (text ?? canonicalJson(value as Json)))
    return unreadable(
      place,
      'is not in canonical form (RFC 8785), so it was not written by the ledger; download the export again.',
    );
  return { place, record };
}

/** The record in a line of JSON. */
export function readRecordText(place: string, text: string): LedgerItem {
  try {
    return readRecord(place, JSON.parse(text), text);
  } catch {
    return unreadable(place, `is not JSON: ${quoted(text)}. Download the export again.`);
  }
}
