import { sql } from 'kysely';
import { auditWholeRecord } from '@/lib/audit/commands';
import { listFindings } from '@/lib/audit/queries';
import { auditKept } from '@/lib/audit/queries/kept';
import { removeBet, resettleCorrectedBets, settleDueBets } from '@/lib/bets/commands';
import { getBet } from '@/lib/bets/queries/bets';
import { database, transact } from '@/lib/platform/database';
import { sealKeptChanges } from '@/lib/record/commands/kept';
import type { Viewer } from '@/lib/access/schema';
import { after, athletic, bet, legOf, offerSecond, play, playAthletic } from '../support/bets';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { join, offer, openShop } from '../support/members';
import { placeBet, publishTip, signLedger } from '../support/moments';
import { worldNow } from '../support/world';

onTestDatabase();

let passes = 0;

async function findings(): Promise<string[]> {
  passes += 1;
  await auditWholeRecord(new Date(Date.parse('2026-03-12T12:00:00.000Z') + 60_000 * passes), ['kept']);
  return (await listFindings()).map(({ problem }) => problem);
}

const sealed = async () =>
  Number(
    (await sql<{ changes: string }>`select max(changes) as changes from kept_seal`.execute(database())).rows[0]
      ?.changes,
  );

describe('what is kept of changes', () => {
  test(
    'agrees with rows that come, change and go by the program’s own commands, sealed or not',
    undone(async () => {
      const bob = await join('bob', worldNow);
      const { reference } = await placeBet(bob, await bet(), 'one', worldNow);
      await placeBet(bob, await bet({ stakeMinor: 300 }), 'two', worldNow);
      expect(await findings()).toEqual([]);
      await sealKeptChanges();
      const before = await sealed();
      expect(before).toBeGreaterThan(0);
      await removeBet(bob, reference);
      await playAthletic([2, 0], after(3));
      await settleDueBets(after(4));
      expect(await findings()).toEqual([]);
      await sealKeptChanges();
      expect(await sealed()).toBeGreaterThan(before);
      await sealKeptChanges();
      expect(await findings()).toEqual([]);
    }),
  );

  test(
    'is one hash, whatever the session that writes has set',
    undone(async () => {
      await sql`set local timezone = 'Asia/Kathmandu'`.execute(database());
      await placeBet(await join('bob', worldNow), await bet(), 'one', worldNow);
      expect(await findings()).toEqual([]);
    }),
  );

  test(
    'tells of a bet that was changed and of one that was put in, with its kept changes made to fit but not its seal',
    undone(async () => {
      await placeBet(await join('bob', worldNow), await bet(), 'one', worldNow);
      await sealKeptChanges();
      await transact(async () => {
        await asOwner(sql`update bet set stake_minor = 900`, { unguarded: 'bet' });
        expect(await findings()).toEqual([
          expect.stringMatching(/^In bet, what belongs to id \d+ is not what was kept of its changes\.$/),
        ]);
        await asOwner(
          sql`update kept_change set digest = (select ('x' || left(hash, 15))::bit(60)::bigint::numeric * 1152921504606846976 + ('x' || substr(hash, 16, 15))::bit(60)::bigint
            from bet, lateral (select encode(sha256(convert_to(row(bet.id, reference, account_id, idempotency_key, request_hash, placed_at, entered_at, first_starts_at, stake_minor, currency_id, each_way, tip_id)::text, 'UTF8')), 'hex') as hash) hashed) where relation = 'bet'`,
          { unguarded: 'kept_change' },
        );
        expect(await findings()).toEqual(['Seal 1 does not stand over the changes that were kept under it.']);
      });
    }),
  );

  test(
    'is held against the same rows in steps of any size, and what was found stays where a later table cannot be read',
    undone(async () => {
      const bob = await join('bob', worldNow);
      for (const key of ['one', 'two', 'three']) await placeBet(bob, await bet(), key, worldNow);
      await openShop('ann', { name: 'Ann Football' }, worldNow);
      await asOwner(sql`update bet set stake_minor = 900 where idempotency_key <> 'two'`, { unguarded: 'bet' });
      await asOwner(sql`update portfolio set name = 'Another' where name = 'Ann Football'`, { unguarded: 'portfolio' });
      const inSteps = async (limit: number) => {
        const problems: string[] = [];
        let steps = 0;
        for (let step = await auditKept(null, limit); ; step = await auditKept(step.next, limit)) {
          problems.push(...step.problems);
          steps += 1;
          if (step.next === null) return { problems, steps };
        }
      };
      const ofBet = expect.stringMatching(/^In bet, what belongs to id \d+ is not/);
      const ofPortfolio = expect.stringMatching(/^In portfolio, what belongs to id \d+ is not/);
      const { problems, steps } = await inSteps(1000);
      expect(problems).toEqual([ofBet, ofBet, ofPortfolio]);
      for (const limit of [1, 2, 3]) {
        const smaller = await inSteps(limit);
        expect(smaller.problems).toEqual(problems);
        expect(smaller.steps).toBeGreaterThan(steps);
      }
      await asOwner(sql`alter table portfolio rename column name to title`);
      expect(await findings()).toEqual([ofBet, ofBet, expect.stringMatching(/^What is stored cannot be read: /)]);
    }),
    30_000,
  );

  test(
    'is sealed by the ten thousands, however few the database takes them for',
    undone(async () => {
      await sealKeptChanges();
      const before = await sealed();
      await asOwner(
        sql`insert into kept_change (relation, about, digest) select 'bet', number, number from generate_series(1, 20001) number`,
      );
      for (const way of ['enable_hashjoin', 'enable_mergejoin'])
        await sql`set local ${sql.raw(way)} = off`.execute(database());
      await sql`set local statement_timeout = '8s'`.execute(database());
      await sealKeptChanges();
      expect(await sealed()).toBe(before + 20_001);
      const { rows } = await sql<{ count: string }>`
        select count(*) as count from kept_change where relation = 'bet' and about <= 20001 group by seal order by 1`.execute(
        database(),
      );
      expect(rows).toEqual([{ count: '1' }, { count: '20000' }]);
    }),
    30_000,
  );

  test(
    'tells of a seal that the record signed and that is not there, and of what is kept under one that is not',
    undone(async () => {
      const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
      const legs = [await offer(athletic, 'match-result', 'home', 'bet365')];
      await publishTip(owner, reference, { idempotencyKey: 'one', legs, stakeHundredths: 100 }, worldNow);
      await placeBet(owner, await bet(), 'one', worldNow);
      await signLedger(worldNow);
      expect(await findings()).toEqual([]);
      await asOwner(sql`delete from kept_seal where number = (select max(number) from kept_seal)`, {
        unguarded: 'kept_seal',
      });
      expect(await findings()).toEqual([
        'Changes are kept under a seal that is not there.',
        expect.stringMatching(/^Entry \d+ of the ledger signs a seal over kept changes that is not there\.$/),
      ]);
      await asOwner(sql`update kept_change set seal = seal + 40`, { unguarded: 'kept_change' });
      expect(await findings()).toContain('Changes are kept under a seal that is not there.');
    }),
  );

  test('is sealed once by two at once', async () => {
    await join('two', worldNow);
    await Promise.all([sealKeptChanges(), sealKeptChanges(), sealKeptChanges()]);
    expect((await sql`select from kept_change where seal is null`.execute(database())).rows).toEqual([]);
    expect(await findings()).toEqual([]);
  });
});

describe('a member’s own bet', () => {
  const rename = async () => {
    await asOwner(sql`update fixture set name = 'Other v Others'`, { unguarded: 'fixture' });
    await asOwner(
      sql`update selection set name = 'Somebody', key = case key when 'home' then 'none' when 'away' then 'home' else 'away' end where key in ('home', 'away')`,
      { unguarded: 'selection' },
    );
    await asOwner(sql`update market set kind = 'moneyline' where kind = 'match-result'`, { unguarded: 'market' });
    await asOwner(sql`update bookmaker set name = name || ' of old'`, { unguarded: 'bookmaker' });
  };

  test(
    'shows and is settled by what it was on when it was made',
    undone(async () => {
      const bob = await join('bob', worldNow);
      const { reference } = await placeBet(bob, await bet(), 'one', worldNow);
      const { legs } = await getBet(bob, reference);
      await rename();
      expect((await getBet(bob, reference)).legs).toEqual(legs);
      await playAthletic([2, 0], after(3));
      await settleDueBets(after(4));
      expect((await getBet(bob, reference)).settlement).toMatchObject({ outcome: 'won' });
    }),
  );

  /** Makes the database refuse to store settlements of a bet, as a fault nobody thought of would. */
  async function refuse(reference: string): Promise<void> {
    await asOwner(sql`create or replace function refuse_bet() returns trigger language plpgsql as $$
      begin
        if new.bet_id = (select id from bet where reference = tg_argv[0]) then raise exception 'this one is refused'; end if;
        return new;
      end $$`);
    await asOwner(
      sql`create trigger bet_refused before insert on bet_settlement for each row execute function refuse_bet(${sql.lit(reference)})`,
    );
  }

  async function settledThree(bob: Viewer): Promise<string[]> {
    const references: string[] = [];
    for (const key of ['one', 'two', 'three'])
      references.push((await placeBet(bob, await bet(), key, worldNow)).reference);
    await playAthletic([2, 0], after(3));
    expect(await settleDueBets(after(4))).toBe(3);
    return references;
  }

  test(
    'that a correction cannot settle anew holds up no other, and is tried again',
    undone(async () => {
      const bob = await join('bob', worldNow);
      const [bad = '', good = '', third = ''] = await settledThree(bob);
      await refuse(bad);
      await playAthletic([0, 1], after(5));
      expect(await resettleCorrectedBets(after(5))).toBe(2);
      for (const reference of [good, third])
        expect((await getBet(bob, reference)).settlement).toMatchObject({ version: 2, outcome: 'lost' });
      expect((await getBet(bob, bad)).settlement).toMatchObject({ version: 1, outcome: 'won' });
      const { rows } =
        await sql`select reference, failure, due_at is null as settled from bet where failed_at is not null`.execute(
          database(),
        );
      expect(rows).toEqual([{ reference: bad, failure: 'this one is refused', settled: true }]);
      expect(await resettleCorrectedBets(after(5))).toBe(0);
      await asOwner(sql`drop trigger bet_refused on bet_settlement`);
      expect(await resettleCorrectedBets(after(7))).toBe(1);
      expect((await getBet(bob, bad)).settlement).toMatchObject({ version: 2, outcome: 'lost' });
      expect((await sql`select from bet where failed_at is not null`.execute(database())).rows).toEqual([]);
    }),
  );

  test(
    'of two matches is settled anew by the second correction, too',
    undone(async () => {
      const bob = await join('bob', worldNow);
      const second = legOf(await offerSecond());
      const { legs } = await bet();
      const { reference } = await placeBet(bob, { legs: [...legs, second], stakeMinor: 100 }, 'both', worldNow);
      await playAthletic([2, 0], after(3));
      await play('Harriers', 'Rangers', after(1).toISOString(), [1, 0], after(4));
      expect(await settleDueBets(after(5))).toBe(1);
      await playAthletic([3, 0], after(6));
      expect(await resettleCorrectedBets(after(6))).toBe(0);
      await play('Harriers', 'Rangers', after(1).toISOString(), [0, 0], after(7));
      expect(await resettleCorrectedBets(after(7))).toBe(1);
      expect((await getBet(bob, reference)).settlement).toMatchObject({
        version: 2,
        outcome: 'lost',
        reason: expect.stringContaining('harriers') as string,
      });
    }),
  );
});
