import { importFixtures } from '@/lib/fixtures/commands';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { offer, openShop } from './members';
import { openCommitments, publishTip, resettleCorrected, settleDueTips, signLedger } from './moments';
import { match, worldNow } from './world';

const athletic = 'athletic-v-wanderers-2026-03-10';
const startsAt = '2026-03-10T20:00:00.000Z';
const hoursLater = (hours: number) => new Date(Date.parse(startsAt) + hours * 3_600_000);

async function finish(home: number, away: number, at: Date): Promise<void> {
  await importFixtures(
    [{ line: 2, fixture: match('Athletic', 'Wanderers', startsAt, { result: { home, away, halfTime: null } }) }],
    'football-data',
    at,
  );
}

/** The tips that `fillRecord` publishes: two open ones and a hidden one of ann's public portfolio, one of carol's personal one, which is on no record. */
export type Recorded = { ann: string; carol: string; open: string; hidden: string; carols: string };

/** Puts tips on the record by the commands that everybody uses: published, opened, settled, signed, and then two corrected, which no checkpoint covers. */
export async function fillRecord(): Promise<Recorded> {
  const ann = await openShop('ann', { name: 'Ann Football' }, worldNow);
  const carol = await openShop('carol', { name: 'Carol Alone', visibility: PortfolioVisibility.personal }, worldNow);
  const publish = async ({ owner, reference }: typeof ann, key: 'home' | 'draw' | 'away', hidden = false) => {
    const legs = [await offer(athletic, 'match-result', key, 'bet365')];
    const tip = await publishTip(
      owner,
      reference,
      { idempotencyKey: key, legs, stakeHundredths: 100, hidden },
      worldNow,
    );
    return tip.reference;
  };
  const open = await publish(ann, 'home');
  await signLedger(worldNow);
  const hidden = await publish(ann, 'draw', true);
  await publish(ann, 'away');
  const carols = await publish(carol, 'home');
  await openCommitments(hoursLater(0));
  await finish(2, 0, hoursLater(5));
  await settleDueTips(hoursLater(6));
  await signLedger(hoursLater(6));
  await finish(2, 2, hoursLater(7));
  await resettleCorrected(hoursLater(7));
  return { ann: ann.reference, carol: carol.reference, open, hidden, carols };
}
