/** The parts of the audit of the record, each with a pass of its own. */
export const auditParts = [
  'guards',
  'ledger',
  'tips',
  'settlements',
  'entries',
  'statistics',
  'prices',
  'kept',
] as const;

/** A part of the audit of the record. */
export type AuditPart = (typeof auditParts)[number];

/** Something that differs from the record, found by a part of the audit; `foundAt` is ISO text. */
export type AuditFinding = { part: AuditPart; problem: string; foundAt: string };

/** What a step of a part found, in sentences, and where it goes on; null when its pass is finished. */
export type AuditStep<Place> = { problems: string[]; next: Place | null };
