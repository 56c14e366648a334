import { isWholeRecordAudited, listFindings } from '@/lib/audit/queries';
import { isDatabaseReady } from '@/lib/platform/database';
import { whyGuardsAreWeak } from '@/lib/platform/guards';
import { log } from '@/lib/platform/log';
import { whyCannotSign } from '@/lib/record/commands/keys';

/** What the program says of its readiness: whether it serves, whether what it shows agrees with the record, and what a person should know. */
export type Readiness =
  | { status: 'ready'; record: 'agrees' | 'differs' | 'unaudited'; finding?: string; warnings?: string[] }
  | { status: 'unavailable'; reason: string };

/** Whether the program can serve; a record that was not audited to its end yet is called so, and one that differs does not stop it, but is said with the first thing that was found. */
export async function readReadiness(): Promise<Readiness> {
  if (!(await isDatabaseReady())) return { status: 'unavailable', reason: 'The database does not answer.' };
  try {
    const [[first], isAudited, ...warnings] = await Promise.all([listFindings(1), isWholeRecordAudited(), whyGuardsAreWeak(), whyCannotSign()]);
    const said = warnings.filter((warning) => warning !== null);
    return { status: 'ready', ...(first ? { record: 'differs', finding: first.problem } : { record: isAudited ? 'agrees' : 'unaudited' }), ...(said.length > 0 && { warnings: said }) };
  } catch (error) {
    log.error({ event: 'server_error', err: error });
    return { status: 'unavailable', reason: 'The database answers, but not what it is asked.' };
  }
}

/** What is to be said of the record beside how its audit ran, in one line; null when it agrees and is guarded. */
export async function noteOfRecord(): Promise<string | null> {
  const [findings, weakness] = await Promise.all([listFindings(100), whyGuardsAreWeak()]);
  const [first] = findings;
  if (first) return `The record differs in ${findings.length === 1 ? 'one point' : `${findings.length} points`}: ${first.problem}`;
  return weakness;
}
