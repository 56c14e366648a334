import { settlementOutcomes } from '@/lib/odds/schema';
import { settleTip } from '@/lib/settlement/rules';
import { tipInputSchema } from '@/lib/settlement/schema/tips';
import { differenceFrom } from '../../support/exact-fold';
import { randomFrom, randomTip } from '../../support/random-tips';
import { trialSize } from '../../support/trial-size';

const seed = 20_260_307;
const tips = trialSize('FOLD_TIPS', 25_000);

test(`${tips} random tips come to the same by the one formula and by slips, in every figure`, () => {
  const random = randomFrom(seed);
  const differences: string[] = [];
  const seen = new Map<string, number>();
  for (let index = 0; index < tips; index += 1) {
    const { tip, now } = randomTip(random);
    const settlement = settleTip(tip, now);
    const difference = differenceFrom(settlement, tip, now);
    if (difference) differences.push(`${difference} ${JSON.stringify({ tip, now, settlement })}`);
    const name = settlement.kind === 'settled' ? settlement.outcome : 'undecided';
    seen.set(name, (seen.get(name) ?? 0) + 1);
  }
  expect(differences.slice(0, 1)).toEqual([]);
  // A comparison of nothing but lost and undecided tips would prove little.
  const rare = [...settlementOutcomes, 'undecided'].filter((name) => (seen.get(name) ?? 0) < tips / 400);
  expect(rare).toEqual([]);
});

test('random tips are such as can be published', () => {
  const random = randomFrom(seed + 1);
  const refused = Array.from({ length: 2000 }, () => tipInputSchema.safeParse(randomTip(random).tip)).flatMap(
    ({ error }) => error?.issues ?? [],
  );
  expect(refused).toEqual([]);
});

test('the comparison sees a millionth', () => {
  const random = randomFrom(seed);
  const altered = Array.from({ length: 200 }, () => randomTip(random)).flatMap(({ tip, now }) => {
    const settlement = settleTip(tip, now);
    if (settlement.kind === 'undecided') return [];
    return [
      differenceFrom({ ...settlement, returnMicrounits: String(BigInt(settlement.returnMicrounits) + 1n) }, tip, now),
    ];
  });
  expect(altered.length).toBeGreaterThan(50);
  expect(altered.filter((difference) => !difference?.startsWith('By the slips the return in millionths is '))).toEqual(
    [],
  );
});
