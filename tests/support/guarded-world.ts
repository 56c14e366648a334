import { exportJWK, generateKeyPair } from 'jose';
import { sql } from 'kysely';
import { followPortfolio } from '@/lib/accounts/commands';
import { settleDueBets } from '@/lib/bets/commands';
import { member } from '@/lib/http/viewer';
import { closeMarkets, importFixtures, reportLiveScores } from '@/lib/fixtures/commands';
import { runnerKey } from '@/lib/fixtures/rules';
import { database } from '@/lib/platform/database';
import { bytesOfBase64url, cosign, noteKeyOf, parseNote, signatureLine, vkeyOf } from '@/lib/record/rules';
import { Role } from '@/lib/reference/schema';
import { changeSettings } from '@/lib/settlement/commands/staff';
import { computeDueLuck, drawDueSketches } from '@/lib/stats/commands';
import { after, athletic, bet, playAthletic, runRace } from './bets';
import { join, offer, openShop } from './members';
import {
  editPost,
  openCommitments,
  placeBet,
  publishPost,
  publishTip,
  resettleCorrected,
  settleDueTips,
  signLedger,
} from './moments';
import { match, matchResult, worldNow } from './world';

/** Has a witness cosign the first note, as `askWitnesses` would keep it. */
async function cosignFirst(): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const key = await noteKeyOf('w.example', 0x04, bytesOfBase64url((await exportJWK(publicKey)).x ?? ''));
  const { rows } = await sql<{
    sequence: number;
    note: string;
  }>`select sequence, note from ledger_note order by sequence limit 1`.execute(database());
  const [first] = rows;
  const line = signatureLine(
    await cosign(parseNote(first?.note ?? '')?.text ?? '', Math.floor(worldNow.getTime() / 1000), key, privateKey),
  );
  await sql`insert into ledger_cosignature (sequence, witness, line) values (${first?.sequence}, ${vkeyOf(key)}, ${line})`.execute(
    database(),
  );
}

/** A record by the commands that everybody uses, with a row in every table that is shown: tips that are open, committed, opened, settled and corrected, a bet, a post that was edited. */
export async function fillGuardedWorld(): Promise<void> {
  await runRace(worldNow);
  const ann = await openShop('ann', { name: 'Ann Football' }, worldNow);
  const bob = await join('bob', worldNow);
  const staff = await join('staff', worldNow);
  await changeSettings(
    member({ accountId: staff.accountId, role: Role.admin, pro: false, owns: [], subscribes: [] }),
    { sportReference: 'tennis', bookmakerId: null, retirementRule: 'one-set' },
    worldNow,
  );
  await placeBet(bob, await bet(), 'bet', worldNow);
  await publishTip(
    ann.owner,
    ann.reference,
    {
      idempotencyKey: 'race',
      legs: [await offer('ayr-2026-03-10-2000', 'outright-winner', runnerKey('Tin Whistle'), 'bet365')],
      stakeHundredths: 50,
      hidden: true,
    },
    worldNow,
  );
  const tips: string[] = [];
  for (const key of ['home', 'draw', 'away'] as const) {
    const legs = [await offer(athletic, 'match-result', key, 'bet365')];
    tips.push(
      (
        await publishTip(
          ann.owner,
          ann.reference,
          { idempotencyKey: key, legs, stakeHundredths: 100, hidden: key === 'draw', analysis: 'At home.' },
          worldNow,
        )
      ).reference,
    );
  }
  const { reference } = await publishPost(
    ann.owner,
    ann.reference,
    { idempotencyKey: 'post', title: 'On Saturday', body: 'Two of mine.', tips },
    worldNow,
  );
  await editPost(
    ann.owner,
    {
      portfolioReference: ann.reference,
      reference,
      key: 'edit',
      input: { version: 1, title: 'On Sunday', body: 'Two of mine.', premiumOnly: false, tips },
    },
    worldNow,
  );
  await signLedger(worldNow);
  await cosignFirst();
  const carol = await openShop('carol', { name: 'Carol Racing' }, worldNow);
  await followPortfolio(bob, carol.reference, 1, worldNow);
  await sql`insert into membership (account_id, portfolio_id, starts_at, ends_at) values (${bob.accountId}, ${carol.id}, ${worldNow}, ${after(100)})`.execute(
    database(),
  );
  await openCommitments(after(0));
  await closeMarkets(after(0));
  await runRace(after(1), { result: { positions: [{ position: 1, name: 'Tin Whistle' }], placesKnown: 1 } });
  await reportLiveScores(
    [
      {
        fixtureReference: athletic,
        homeTeamScore: 1,
        awayTeamScore: 0,
        period: 'First half',
        clock: null,
        scores: [],
        ended: false,
      },
    ],
    after(1),
  );
  await playAthletic([2, 0], after(5));
  await settleDueTips(after(6));
  await settleDueBets(after(6));
  await signLedger(after(6));
  await playAthletic([2, 2], after(7));
  await resettleCorrected(after(7));
  // One that stays closed: it is published last, and nothing opens it.
  const markets = [matchResult('City', 'Rovers', worldNow.toISOString(), { bet365: [2000, 3000, 4000] })];
  await importFixtures(
    [{ line: 1, fixture: match('City', 'Rovers', '2026-03-14T15:00:00.000Z', { markets }) }],
    'football-data',
    worldNow,
  );
  await publishTip(
    ann.owner,
    ann.reference,
    {
      idempotencyKey: 'closed',
      legs: [await offer('city-v-rovers-2026-03-14', 'match-result', 'home', 'bet365')],
      stakeHundredths: 100,
      free: false,
      hidden: true,
    },
    after(8),
  );
  await computeDueLuck(after(7));
  await drawDueSketches();
}
