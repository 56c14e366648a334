import { listFindings } from '@/lib/audit/queries';
import { whyGuardsAreWeak } from '@/lib/platform/guards';

/** What is to be said of the record beside how its audit ran, in one line; null when it agrees and is guarded. */
export async function noteOfRecord(): Promise<string | null> {
  const [findings, weakness] = await Promise.all([listFindings(100), whyGuardsAreWeak()]);
  const [first] = findings;
  if (first)
    return `The record differs in ${findings.length === 1 ? 'one point' : `${findings.length} points`}: ${first.problem}`;
  return weakness;
}
