import { randomInt } from 'node:crypto';
import cliProgress from 'cli-progress';
import { settleTip } from '@/lib/settlement/rules';
import { differenceFrom } from '../tests/support/exact-fold';
import { randomFrom, randomTip } from '../tests/support/random-tips';
import { differenceInRecord } from '../tests/support/sealed-tips';

const defaultTips = 1_000_000;
const shownDifferences = 5;
const stepTips = 1000;
const seeds = 2 ** 32;

const say = (line: string) => process.stderr.write(`${line}\n`);
const amount = new Intl.NumberFormat('en-GB');

const usage = `Usage: npm run settle:fold -- [tips] [seed]\n\nSettles random tips twice, by the rules and by a separately written computation in integers, and compares every figure; then lets the verifier\nof the record recompute each settlement, and alters one thing in it, which the verifier must see.\nBoth are whole numbers: tips at least 1 (${defaultTips} unless told), seed from 0 to ${seeds - 1} (a new one unless told).`;

function wholeNumber(text: string, least: number, below: number): number | null {
  const number = /^\d{1,12}$/.test(text) ? Number(text) : NaN;
  return number >= least && number < below ? number : null;
}

/** Compares the settlement of random tips, as many as the first argument says, with the computation of tests/support and with that of the verifier; returns the exit code: 0 when all agree. */
export async function main([
  tipsText = String(defaultTips),
  seedText = String(randomInt(seeds)),
  ...surplus
]: string[]): Promise<number> {
  const tips = wholeNumber(tipsText, 1, 1e12);
  const seed = wholeNumber(seedText, 0, seeds);
  if (tips === null || seed === null || surplus.length > 0) {
    say(
      `Error: ${surplus.length > 0 ? 'there are too many arguments' : `"${tips === null ? tipsText : seedText}" is no such number`}.\n\n${usage}`,
    );
    return 1;
  }
  say(`Settling ${amount.format(tips)} random tips twice, with the seed ${seed}`);
  const bar = new cliProgress.SingleBar(
    {
      format: '  {bar} {percentage}% · {value}/{total} tips · {eta_formatted} left',
      noTTYOutput: true,
      notTTYSchedule: 5_000,
      stream: process.stderr,
    },
    cliProgress.Presets.shades_classic,
  );
  const random = randomFrom(seed);
  // A second one, so that a seed makes the same tips whatever the alterations take.
  const alterations = randomFrom(seed + 1);
  const examples: string[] = [];
  let settled = 0;
  let differences = 0;
  bar.start(tips, 0);
  try {
    for (let done = 0; done < tips; done += 1) {
      if (done % stepTips === 0) {
        bar.update(done);
        // Lets the bar draw and an interrupt through.
        await new Promise(setImmediate);
      }
      const { tip, now } = randomTip(random);
      const settlement = settleTip(tip, now);
      if (settlement.kind === 'settled') settled += 1;
      const difference =
        differenceFrom(settlement, tip, now) ??
        (settlement.kind === 'settled' ? differenceInRecord(tip, settlement, alterations) : null);
      if (!difference) continue;
      differences += 1;
      if (examples.length < shownDifferences)
        examples.push(`Tip ${done + 1}: ${difference}\n${JSON.stringify({ now, tip, settlement })}`);
    }
    bar.update(tips);
  } finally {
    bar.stop();
  }
  for (const example of examples) say(example);
  say(
    `${amount.format(settled)} settled, ${amount.format(tips - settled)} undecided, ${amount.format(differences)} differences (seed ${seed}).`,
  );
  if (differences > 0) say(`Error: the two settlements differ. Repeat it with: npm run settle:fold -- ${tips} ${seed}`);
  return differences > 0 ? 1 : 0;
}
