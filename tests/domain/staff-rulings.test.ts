import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { member } from '@/lib/http/viewer';
import { importFixtures } from '@/lib/fixtures/commands';
import { database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { lockLedger } from '@/lib/record/commands';
import { exportLedger } from '@/lib/record/queries';
import { readLedger, verifyLedger } from '@/lib/record/rules';
import { PortfolioVisibility, Role } from '@/lib/reference/schema';
import { orderRuling } from '@/lib/rulings/commands';
import type { TipByStaff } from '@/lib/settlement/commands';
import { changeSettings } from '@/lib/settlement/commands/staff';
import { atBothStakes, storeVersions, withFacts } from '@/lib/settlement/commands/versions';
import { readSettlingTips } from '@/lib/settlement/queries';
import { voidTip as returnStake } from '@/lib/settlement/rules/tip';
import { getTip } from '@/lib/tips/queries';
import { openStaff } from '../support/accounts';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { join, offer, openShop } from '../support/members';
import {
  openCommitments,
  publishTip,
  resettleCorrected,
  resettleTip,
  settleDueTips,
  signLedger,
  voidTip,
} from '../support/moments';
import { match, worldNow } from '../support/world';

onTestDatabase();

const athletic = 'athletic-v-wanderers-2026-03-10';
const startsAt = '2026-03-10T20:00:00.000Z';
const after = (hours: number) => new Date(Date.parse(startsAt) + hours * 3_600_000);

async function staff(role: Role): Promise<Viewer> {
  const { accountId } = await join(`staff-${role}`, worldNow);
  return member({ accountId, role, pro: false, owns: [], subscribes: [] });
}

async function finish(home: number, away: number, at: Date): Promise<void> {
  await importFixtures(
    [{ line: 2, fixture: match('Athletic', 'Wanderers', startsAt, { result: { home, away, halfTime: null } }) }],
    'football-data',
    at,
  );
}

async function published(visibility: PortfolioVisibility = PortfolioVisibility.public, hidden = false) {
  const shop = await openShop('ann', { name: 'Ann Football', visibility }, worldNow);
  const { reference } = await publishTip(
    shop.owner,
    shop.reference,
    {
      idempotencyKey: 'one',
      legs: [await offer(athletic, 'match-result', 'home', 'bet365')],
      stakeHundredths: 200,
      hidden,
    },
    worldNow,
  );
  const tip = () => getTip(shop.owner, shop.reference, reference, after(48));
  return { ...shop, tip: reference, read: tip };
}

async function profits(): Promise<unknown[]> {
  const { rows } =
    await sql`select tips, profit_advised as profit from portfolio_standing where sport_id = 0 and period = 6`.execute(
      database(),
    );
  return rows;
}

async function kindsOnRecord(): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`select kind from ledger_entry order by sequence`.execute(database());
  return rows.map(({ kind }) => kind);
}

async function* bytes(): AsyncGenerator<Uint8Array> {
  for await (const piece of await exportLedger(await staff(Role.user), 'ndjson')) yield new TextEncoder().encode(piece);
}

describe('a tip that staff void', () => {
  test(
    'gets a version with the reason beside the settled one, on the record and on the tip, and leaves the statistics',
    undone(async () => {
      const { tip, read } = await published();
      await finish(2, 0, after(4));
      await settleDueTips(after(5));
      expect(await profits()).toEqual([{ tips: 1, profit: 3 }]);
      await voidTip(await staff(Role.admin), tip, '  The price was a misprint.  ', after(6));
      expect((await read()).settlements).toMatchObject([
        {
          version: 2,
          outcome: 'void',
          profitHundredths: 0,
          returnHundredths: 200,
          reason: 'The price was a misprint.',
        },
        { version: 1, outcome: 'won', profitHundredths: 300, reason: null },
      ]);
      expect((await read()).legs[0]).toMatchObject({
        outcome: 'void',
        rule: 'Voided by staff: The price was a misprint.',
      });
      expect(await profits()).toEqual([{ tips: 0, profit: 0 }]);
      await signLedger(after(7));
      expect(await verifyLedger(readLedger(bytes()))).toMatchObject({ ok: true, entries: 4, counted: true });
    }),
  );

  test(
    'before its result is settled by that, and no job settles it again',
    undone(async () => {
      const { tip, read } = await published();
      await voidTip(await staff(Role.superAdmin), tip, 'The match was listed twice.', after(1));
      await finish(2, 0, after(4));
      expect([await settleDueTips(after(5)), await settleDueTips(after(100))]).toEqual([0, 0]);
      expect((await read()).settlements).toMatchObject([
        { version: 1, outcome: 'void', reason: 'The match was listed twice.' },
      ]);
      expect(await kindsOnRecord()).toEqual(['tip-published', 'tip-corrected']);
    }),
  );

  test(
    'is not voided, nor is that previewed, while its commitment is closed, and is once that was opened',
    undone(async () => {
      const { tip } = await published(PortfolioVisibility.public, true);
      const { viewer } = await openStaff('ada', Role.admin, worldNow);
      const order = (action: TipByStaff['action'], preview: boolean, at: Date) =>
        decidedAt(at, () => orderRuling({ staff: viewer, reference: tip, action, reason: 'Listed twice.', preview }));
      const sealed = {
        kind: 'conflict',
        message: 'This tip is sealed until its first start. Void it, or settle it again, once it is open.',
      };
      for (const preview of [true, false])
        for (const action of ['tip.void', 'tip.settle'] as const)
          await expect(order(action, preview, after(-2))).rejects.toMatchObject(sealed);
      await expect(
        decidedAt(after(-2), async () => {
          const { rows } = await sql<{ id: number }>`select id from tip`.execute(database());
          const tips = await readSettlingTips(rows.map(({ id }) => id));
          const versions = tips.map((each) => atBothStakes(each, returnStake(each.input, 'By no rule.')));
          await transact(async () => storeVersions(await withFacts(versions, null), null, await lockLedger()));
        }),
      ).rejects.toThrow('settles a tip whose commitment is closed');
      expect(await kindsOnRecord()).toEqual(['tip-committed']);
      await openCommitments(after(0));
      await order('tip.void', false, after(0.1));
      await signLedger(after(7));
      expect(await verifyLedger(readLedger(bytes()))).toMatchObject({ ok: true, entries: 4, counted: true });
    }),
  );

  test(
    'stays void when its result is corrected, until staff settle it anew',
    undone(async () => {
      const { tip, read } = await published();
      const admin = await staff(Role.admin);
      await finish(2, 0, after(4));
      await settleDueTips(after(5));
      await voidTip(admin, tip, 'Under inquiry.', after(6));
      await finish(2, 2, after(7));
      expect(await resettleCorrected(after(7))).toBe(0);
      expect((await read()).settlements[0]).toMatchObject({ version: 2, outcome: 'void' });
      await resettleTip(admin, tip, 'The inquiry has ended.', after(8));
      expect((await read()).settlements[0]).toMatchObject({
        version: 3,
        outcome: 'lost',
        profitHundredths: -200,
        reason: 'The inquiry has ended.',
      });
      expect(await profits()).toEqual([{ tips: 1, profit: -2 }]);
    }),
  );

  test(
    'is no business of guests, members and owners, and needs a reason, a tip and, to be settled anew, a result',
    undone(async () => {
      const { tip, owner, read } = await published();
      const admin = await staff(Role.admin);
      for (const viewer of [owner, await staff(Role.user)]) {
        await expect(voidTip(viewer, tip, 'Mine.', after(1))).rejects.toMatchObject({ kind: 'forbidden' });
        await expect(resettleTip(viewer, tip, 'Mine.', after(1))).rejects.toMatchObject({ kind: 'forbidden' });
        await expect(
          changeSettings(viewer, { sportReference: null, bookmakerId: null, postponementHours: 1 }, after(1)),
        ).rejects.toMatchObject({ kind: 'forbidden' });
      }
      await expect(voidTip(admin, tip, '  ', after(1))).rejects.toThrow('say why');
      await expect(voidTip(admin, tip, 'x'.repeat(501), after(1))).rejects.toThrow('500 characters');
      await expect(voidTip(admin, 'aaaaaaaaaa', 'No such tip.', after(1))).rejects.toMatchObject({ kind: 'missing' });
      await expect(resettleTip(admin, tip, 'Too early.', after(1))).rejects.toMatchObject({ kind: 'conflict' });
      expect((await read()).settlements).toEqual([]);
    }),
  );
});

describe('settings that staff change', () => {
  test(
    'hold for tips published from then on: a match that started 30 hours late voids those alone',
    undone(async () => {
      const { owner, reference, tip, read } = await published();
      await changeSettings(
        await staff(Role.admin),
        { sportReference: 'football', bookmakerId: null, postponementHours: 24 },
        new Date(worldNow.getTime() + 1),
      );
      const later = await publishTip(
        owner,
        reference,
        {
          idempotencyKey: 'two',
          legs: [await offer(athletic, 'match-result', 'home', 'bet365')],
          stakeHundredths: 100,
        },
        new Date(worldNow.getTime() + 2),
      );
      await sql`update fixture set starts_at = ${after(30)} where reference = ${athletic}`.execute(database());
      await importFixtures(
        [
          {
            line: 2,
            fixture: match('Athletic', 'Wanderers', after(30).toISOString(), {
              result: { home: 2, away: 0, halfTime: null },
            }),
          },
        ],
        'football-data',
        after(34),
      );
      expect(await settleDueTips(after(40))).toBe(2);
      expect((await read()).settlements[0]).toMatchObject({ outcome: 'won' });
      expect((await getTip(owner, reference, later.reference, after(48))).settlements[0]).toMatchObject({
        outcome: 'void',
      });
      expect(tip).not.toBe(later.reference);
    }),
  );

  test(
    'are refused for an unknown sport or bookmaker, and when they change nothing, and never change afterwards',
    undone(async () => {
      const admin = await staff(Role.admin);
      await expect(
        changeSettings(admin, { sportReference: 'curling', bookmakerId: null, postponementHours: 1 }, worldNow),
      ).rejects.toMatchObject({ kind: 'missing' });
      await expect(
        changeSettings(admin, { sportReference: null, bookmakerId: 999, postponementHours: 1 }, worldNow),
      ).rejects.toMatchObject({ kind: 'missing' });
      await expect(changeSettings(admin, { sportReference: null, bookmakerId: null }, worldNow)).rejects.toThrow(
        'must change a setting',
      );
      await changeSettings(admin, { sportReference: 'tennis', bookmakerId: null, retirementRule: 'one-set' }, worldNow);
      await expect(
        transact(() => asOwner(sql`update settlement_setting set retirement_rule = 'progress'`)),
      ).rejects.toThrow('never changed or deleted');
    }),
  );
});

describe('a personal portfolio', () => {
  test(
    'is settled and counted for its owner without a word on the public record',
    undone(async () => {
      const { owner, reference, read } = await published(PortfolioVisibility.personal);
      await finish(2, 0, after(4));
      expect(await settleDueTips(after(5))).toBe(1);
      expect(await read()).toMatchObject({ ledgerSequence: null, settlements: [{ outcome: 'won', sequence: null }] });
      expect(await profits()).toEqual([{ tips: 1, profit: 3 }]);
      expect(await kindsOnRecord()).toEqual([]);
      await expect(getTip(await staff(Role.user), reference, (await read()).reference, after(5))).rejects.toMatchObject(
        { kind: 'missing' },
      );
      expect(owner.kind).toBe('member');
    }),
  );

  test.each([PortfolioVisibility.public, PortfolioVisibility.premium, PortfolioVisibility.hidden])(
    'never becomes another, nor another personal: %s',
    (visibility) =>
      undone(async () => {
        const [personal, other] = [
          await openShop('ann', { name: 'Ann', visibility: PortfolioVisibility.personal }, worldNow),
          await openShop('bob', { name: 'Bob', visibility }, worldNow),
        ];
        await expect(
          transact(() =>
            sql`update portfolio set visibility = ${visibility} where id = ${personal.id}`.execute(database()),
          ),
        ).rejects.toThrow('stays personal');
        await expect(
          transact(() => sql`update portfolio set visibility = 0 where id = ${other.id}`.execute(database())),
        ).rejects.toThrow('stays personal');
        await sql`update portfolio set visibility = ${PortfolioVisibility.hidden} where id = ${other.id}`.execute(
          database(),
        );
      })(),
  );
});
