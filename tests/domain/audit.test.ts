import { sql } from 'kysely';
import { auditRecord, auditWholeRecord } from '@/lib/audit/commands';
import { isWholeRecordAudited, listFindings } from '@/lib/audit/queries';
import { auditParts } from '@/lib/audit/schema';
import { database } from '@/lib/platform/database';
import { whyGuardsAreWeak } from '@/lib/platform/guards';
import { reopenTip } from '@/lib/settlement/commands/open-tips';
import { asOwner, onOwnConnection, onTestDatabase, undone } from '../support/database';
import { fillRecord } from '../support/record';

onTestDatabase();
beforeAll(async () => void (await fillRecord()));

const now = new Date('2026-03-12T12:00:00.000Z');
const minutesLater = (count: number) => new Date(now.getTime() + count * 60_000);

/** What the tests act as the owner through; no program has it. */
const ofTests = /^The program's role may act as \w+ through the function test_support\.as_owner\(text,text\[\]\)\.$/;
const problems = async () =>
  (await listFindings())
    .filter(({ problem }) => !ofTests.test(problem))
    .map(({ part, problem }) => `${part}: ${problem}`);

test('a record that only the program wrote has nothing that differs', async () => {
  await auditWholeRecord(now);
  expect(await problems()).toEqual([]);
  // The one thing that the tests add is itself found.
  expect(await listFindings()).toMatchObject([{ part: 'guards', problem: expect.stringMatching(ofTests) as unknown }]);
});

describe('the audit of the record', () => {
  test('goes on where it stopped, and begins anew when a part has rested', () =>
    undone(async () => {
      const steps = async () =>
        (
          await sql<{
            part: string;
            finished: boolean;
            began: Date;
          }>`select part, finished_at is not null as finished, pass_at as began from audit_progress order by part`.execute(
            database(),
          )
        ).rows;
      await sql`update audit_progress set finished_at = 'epoch'`.execute(database());
      await auditRecord(minutesLater(1), { budgetMilliseconds: 0 });
      expect((await steps()).filter(({ began }) => began > now).map(({ part }) => part)).toEqual(['guards']);
      // One step at a time; a part of many tables takes some.
      for (let run = 1; run < 20 * auditParts.length; run += 1)
        await auditRecord(minutesLater(1), { budgetMilliseconds: 0 });
      expect(await steps()).toEqual(
        auditParts.toSorted().map((part) => ({ part, finished: true, began: minutesLater(1) })),
      );
      await auditRecord(minutesLater(12));
      expect((await steps()).filter(({ began }) => began > minutesLater(1)).map(({ part }) => part)).toEqual([
        'guards',
      ]);
    })());

  test('says nothing of the record where the database is slow, and gives the other parts their turn', () =>
    onOwnConnection(async (other) => {
      await other.query('begin; lock table portfolio_followers in access exclusive mode');
      await undone(async () => {
        await sql`set local lock_timeout = '50ms'`.execute(database());
        await sql`update audit_progress set finished_at = 'epoch'`.execute(database());
        const run = (at: Date) => auditRecord(at, { parts: ['entries', 'prices'], budgetMilliseconds: 0 });
        await expect(run(minutesLater(1))).rejects.toMatchObject({ code: '55P03' });
        await run(minutesLater(2));
        const { rows } =
          await sql`select part from audit_progress where pass_at = ${minutesLater(2)} order by part`.execute(
            database(),
          );
        expect(rows).toEqual([{ part: 'prices' }]);
        expect(await problems()).toEqual([]);
      })();
      await other.query('rollback');
    }));

  test('has every part go on in turn, however long one of them takes', () =>
    undone(async () => {
      await sql`update audit_progress set finished_at = 'epoch'`.execute(database());
      for (const minutes of [1, 2, 3])
        await auditRecord(minutesLater(minutes), { parts: ['kept', 'prices', 'statistics'], budgetMilliseconds: 0 });
      const { rows } =
        await sql`select part, pass_at as at from audit_progress where pass_at > ${now} order by pass_at`.execute(
          database(),
        );
      expect(rows).toEqual([
        { part: 'kept', at: minutesLater(1) },
        { part: 'prices', at: minutesLater(2) },
        { part: 'statistics', at: minutesLater(3) },
      ]);
    })());

  test('speaks for the record for thirty days', () =>
    undone(async () => {
      await auditWholeRecord(now);
      const after = (days: number) => isWholeRecordAudited(minutesLater(days * 1440));
      expect([await after(0), await after(29), await after(30)]).toEqual([true, true, false]);
    })());

  test('says what differs for as long as it does', () =>
    undone(async () => {
      const add = (microunits: number) =>
        asOwner(sql`update tip_settlement set profit_microunits = profit_microunits + ${microunits}`, {
          unguarded: 'tip_settlement',
        });
      await add(50_000_000);
      await auditWholeRecord(minutesLater(1));
      const found = await problems();
      expect(
        found.some((problem) =>
          /^tips: The tip \w{10} has version 1 of its settlement otherwise than it was recorded\.$/.test(problem),
        ),
      ).toBe(true);
      expect(found.some((problem) => problem.startsWith('statistics: '))).toBe(true);
      await auditWholeRecord(minutesLater(2));
      expect(await problems()).toEqual(found);
      await add(-50_000_000);
      await auditWholeRecord(minutesLater(3));
      expect(await problems()).toEqual([]);
    })());

  test('says nothing of a settled tip that a corrected result could not settle anew, which waits to be tried again', () =>
    undone(async () => {
      const { rows } = await sql<{ id: number }>`select tip_id as id from tip_settlement order by 1 limit 1`.execute(
        database(),
      );
      await reopenTip(rows[0]?.id ?? 0, new Error('No room.'), now);
      await auditWholeRecord(minutesLater(1), ['tips']);
      expect(await problems()).toEqual([]);
      await sql`update open_tip set failure = null, failed_at = null`.execute(database());
      await auditWholeRecord(minutesLater(2), ['tips']);
      expect(await problems()).toEqual([expect.stringMatching(/waits for a settlement that it has\.$/)]);
    })());

  test.each([
    [
      'a guard that is switched off',
      `alter table tip disable trigger tip_kept`,
      'guards: The guard tip.tip_kept is switched off or was changed.',
    ],
    [
      'a guard that holds no session that replicates',
      `alter table tip enable trigger tip_kept`,
      'guards: The guard tip.tip_kept is switched off or was changed.',
    ],
    [
      'a guard that is gone',
      `drop trigger ledger_entry_follows on ledger_entry`,
      'guards: The guard ledger_entry.ledger_entry_follows is missing.',
    ],
    [
      'a guard that lets everything pass',
      `create or replace function refuse_other_head() returns trigger language plpgsql as 'begin return new; end'`,
      'guards: The guard ledger_head.ledger_head_follows is switched off or was changed.',
    ],
    [
      'a trigger of somebody else',
      `create trigger zz before insert on tip for each row execute function suppress_redundant_updates_trigger()`,
      'guards: The trigger tip.zz is none of ours.',
    ],
    [
      'a privilege too many',
      `grant delete on tip to tipledger_program`,
      "guards: The program's role may delete on tip, which is more than it needs.",
    ],
    [
      'a privilege of everybody on a column',
      `grant update (entry) on ledger_entry to public`,
      "guards: The program's role may update (entry) on ledger_entry, which is more than it needs.",
    ],
    [
      'a schema in which it may make objects',
      `grant create on schema public to public`,
      "guards: The program's role may make objects in the schema public.",
    ],
  ])('finds %s', (_, statement, problem) =>
    undone(async () => {
      await asOwner(sql.raw(statement));
      await auditWholeRecord(minutesLater(1));
      expect(await problems()).toContain(problem);
    })(),
  );

  describe('of a release that runs beside a newer one', () => {
    const besideNewer = (statements: string, expected: string[]) =>
      undone(async () => {
        await asOwner(
          sql`insert into migration (name, checksum, compatible_from) values ('9999-later.sql', 'x', '0001')`,
        );
        await asOwner(sql.raw(statements));
        await auditWholeRecord(minutesLater(1));
        expect(await problems()).toEqual(expected);
      })();

    test('finds nothing in what that has made', () =>
      besideNewer(
        `create table later (id int);
        create trigger later_kept before update on later for each row execute function suppress_redundant_updates_trigger();
        create trigger zz before insert on tip for each row execute function suppress_redundant_updates_trigger();
        create or replace function refuse_other_head() returns trigger language plpgsql as 'begin return null; end';
        grant select, delete on later to tipledger_program;
        grant update (analysis) on tip to tipledger_program`,
        [],
      ));

    test('still finds guards that are gone or off, and what everybody may do', () =>
      besideNewer(
        `alter table tip disable trigger tip_kept;
        drop trigger ledger_entry_follows on ledger_entry;
        grant update (entry) on ledger_entry to public;
        grant create on schema public to public`,
        [
          'guards: The guard ledger_entry.ledger_entry_follows is missing.',
          'guards: The guard tip.tip_kept is switched off or was changed.',
          "guards: The program's role may update (entry) on ledger_entry, which is more than it needs.",
          "guards: The program's role may make objects in the schema public.",
        ],
      ));
  });

  test.each([
    [
      'owns a table',
      `alter table job_run owner to tipledger_program`,
      /^The program's role tipledger_program owns its tables, so it could switch off what guards them\. Set DATABASE_OWNER_URL/,
    ],
    [
      'may make roles',
      `alter role tipledger_program createrole`,
      /^The program's role tipledger_program may create roles, which it does not need\./,
    ],
    [
      'is a member of another',
      `grant pg_write_all_data to tipledger_program`,
      /^The program's role tipledger_program is a member of pg_write_all_data, whose privileges it has too\./,
    ],
  ])('says why the guards are weaker when the role %s', (_, statement, reason) =>
    undone(async () => {
      expect(await whyGuardsAreWeak()).toBeNull();
      await asOwner(sql.raw(statement));
      expect(await whyGuardsAreWeak()).toMatch(reason);
    })(),
  );
});
