import { formatCount } from '@/lib/format';
import type { LedgerReport } from './verify';

const entries = (count: number) => formatCount(count, 'entry', 'entries');

function signing({ signedUpTo, entries: checked, head, checkpoints, portfolio }: LedgerReport): string {
  if (signedUpTo === 0)
    return 'No checkpoint signs any of it: the entries fit together, but whoever wrote them could write them anew.';
  const signed =
    portfolio === null
      ? `Signed by ${formatCount(checkpoints, 'checkpoint', 'checkpoints')}: ${entries(signedUpTo)} of ${checked}.`
      : `Proved to be in the signed ledger: each of these entries up to number ${signedUpTo} of it.`;
  const tail =
    head.sequence > signedUpTo
      ? ' What stands after it awaits the next checkpoint and could still be written anew.'
      : '';
  return `${signed}${tail}`;
}

function trust({ keyIds, trusted }: LedgerReport): string[] {
  if (keyIds.length === 0) return [];
  const keys = `The signing ${keyIds.length === 1 ? 'key is' : 'keys are'} ${keyIds.join(', ')}`;
  return [
    trusted
      ? `${keys}, which you named as trusted.`
      : `${keys}, named by the export itself. Compare with one you know from elsewhere, and keep a checkpoint: a later ledger must agree with it.`,
  ];
}

function vouching({ compared, witnessed }: LedgerReport): string[] {
  return [
    ...(compared > 0
      ? [`It agrees with the ${compared === 1 ? 'checkpoint that was' : `${compared} checkpoints that were`} kept.`]
      : []),
    ...(witnessed
      ? [
          `Cosigned up to entry ${witnessed.size} by ${witnessed.names.join(', ')}, last at ${new Date(1000 * witnessed.atSeconds).toISOString()}.`,
        ]
      : []),
  ];
}

function extent(portfolio: string, { counted, signedUpTo }: LedgerReport): string {
  const alone = `This is the record of ${portfolio} alone: between its first and last entry none is left out.`;
  if (counted && signedUpTo > 0)
    return `${alone} The checkpoint counts its entries, so none is missing up to entry ${signedUpTo} either. Whether newer ones exist, only a newer checkpoint or the whole ledger shows.`;
  return `${alone} Its checkpoint is from before portfolios were counted, so that whether newer ones exist, only the whole ledger shows.`;
}

function recomputing({ recomputed, notRecomputed }: LedgerReport['counts']): string[] {
  const older =
    notRecomputed === 0
      ? ''
      : ` ${formatCount(notRecomputed, 'settlement', 'settlements')} could not be recomputed in full (older format): outcome and stake were, the profit not.`;
  if (recomputed + notRecomputed === 0) return [];
  return [
    `Money: outcome, stake and profit of ${formatCount(recomputed, 'settlement or correction', 'settlements and corrections')} recomputed from what was published and found right.${older}`,
  ];
}

/** Product §6: what verification found, in sentences: the verdict first, then what was checked, who signed it and what it does not prove. */
export function reportSentences(report: LedgerReport): string[] {
  const { firstProblem, portfolio, counts, entries: checked } = report;
  // Neither verified nor found wrong: there is nothing in it.
  if (firstProblem?.kind === 'empty') return [firstProblem.sentence];
  if (firstProblem) {
    return [`Not verified. ${firstProblem.sentence}`, `Up to there: ${entries(checked)} in order.`];
  }
  const { published, committed, opened, settled, corrected } = counts;
  return [
    `Verified: ${entries(checked)}, none changed, missing or out of order.`,
    `Tips: ${published} published openly, ${committed} committed before their start, of which ${opened} opened since as they were committed; every one was recorded before the start that it names. Settlements: ${settled}, corrections: ${corrected}.`,
    ...recomputing(counts),
    signing(report),
    ...trust(report),
    ...vouching(report),
    portfolio === null
      ? 'That a start or a result is true is not in the ledger: compare it with another source.'
      : extent(portfolio, report),
  ];
}
