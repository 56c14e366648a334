import { sql } from 'kysely';
import { guest } from '@/lib/http/viewer';
import { forgetEverything } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { signLedger } from '../support/moments';
import { exportLedger, getCheckpoints, listEntries, listNewestEntries, proveTip } from '@/lib/record/queries';
import { withHeads } from '@/lib/record/queries/heads';
import { type LedgerReport, parseCheckpointNote, problemOfTip, readLedger, verifyLedger } from '@/lib/record/rules';
import { type LedgerFileFormat, ledgerFileFormats } from '@/lib/record/schema/entries';
import { onOwnConnection, onTestDatabase, undone } from '../support/database';
import { fillRecord, type Recorded } from '../support/record';
import { dice } from '../unit/record/ledger';

let recorded: Recorded;

onTestDatabase();
beforeAll(async () => {
  recorded = await fillRecord();
  await sql`insert into ledger_cosignature (sequence, witness, line) select sequence, 'witness.example+00000000+key', '— witness.example AAAAAAA=' || chr(10) from ledger_note`.execute(
    database(),
  );
});

async function* exportBytes(format: LedgerFileFormat, portfolio: string | null): AsyncGenerator<Uint8Array> {
  for await (const piece of await exportLedger(guest(), format, portfolio)) yield new TextEncoder().encode(piece);
}

const verify = (format: LedgerFileFormat = 'ndjson', portfolio: string | null = null): Promise<LedgerReport> =>
  verifyLedger(readLedger(exportBytes(format, portfolio)));

async function countEntries(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ledger_entry`.execute(database());
  return rows[0]?.count ?? 0;
}

describe('an export', () => {
  test.each(ledgerFileFormats)('of the whole ledger as %s verifies, with every entry in it', async (format) => {
    const { checkpoints } = await getCheckpoints();
    expect(await verify(format)).toMatchObject({
      ok: true,
      portfolio: null,
      entries: await countEntries(),
      signedUpTo: checkpoints.at(-1)?.sequence,
      firstProblem: null,
    });
  });

  test.each(ledgerFileFormats)(
    'of one portfolio as %s verifies, with every entry of it and no other',
    async (format) => {
      const { rows } = await sql<{
        count: number;
      }>`select count(*)::int as count from ledger_entry where portfolio = ${recorded.ann}`.execute(database());
      expect(await verify(format, recorded.ann)).toMatchObject({
        ok: true,
        portfolio: recorded.ann,
        entries: rows[0]?.count,
        firstProblem: null,
      });
    },
  );

  test('of a personal or unknown portfolio is refused before anything of it is sent', async () => {
    for (const portfolio of [recorded.carol, 'nobody', 'No Reference'])
      await expect(exportLedger(guest(), 'csv', portfolio)).rejects.toMatchObject({ kind: 'missing' });
  });

  test('is left off without harm by a reader who has enough', async () => {
    const text = await exportLedger(guest(), 'ndjson');
    await text.next();
    expect(await text.return(undefined)).toEqual({ value: undefined, done: true });
    expect(await verify()).toMatchObject({ ok: true });
  });
});

describe('the heads of the portfolios', () => {
  type Counted = { sequence: number; content: { portfolios: number; root: string; kept?: unknown } };

  const countedIn = async () => {
    const { rows } = await sql<{
      entry: string;
    }>`select entry from ledger_entry where kind = 'portfolios-counted' order by sequence`.execute(database());
    return rows.map(({ entry }) => JSON.parse(entry) as Counted);
  };

  test('are counted in the last entry under every checkpoint, each alike from the start or carried on', async () => {
    const { rows } = await sql<{ sequence: number }>`select sequence from ledger_checkpoint order by sequence`.execute(
      database(),
    );
    const counted = await countedIn();
    expect(counted.map(({ sequence }) => sequence)).toEqual(rows.map(({ sequence }) => sequence));
    for (const {
      sequence,
      content: { kept: _, ...content },
    } of [...counted, ...counted.toReversed()]) {
      expect(
        await withHeads(sequence - 1, async (heads) => ({ portfolios: heads.size, root: await heads.root() })),
      ).toEqual(content);
    }
  });

  test('are read anew where what was known of them was rolled back', async () => {
    const [last] = (await countedIn()).slice(-1);
    const none = new Error('rolled back');
    await transact(async () => {
      await signLedger(new Date('2026-03-12T00:00:00.000Z'));
      const { rows } = await sql<{ sequence: number }>`select sequence from ledger_head`.execute(database());
      await withHeads(rows[0]?.sequence ?? 0, (heads) => heads.root());
      throw none;
    }).catch((error: unknown) => expect(error).toBe(none));
    expect(await withHeads((last?.sequence ?? 0) - 1, async (heads) => heads.root())).toBe(last?.content.root);
    expect(await verify()).toMatchObject({ ok: true });
  });
});

describe('a signed note', () => {
  test('is kept for every checkpoint, under the name that the log was first given', async () => {
    const { rows } = await sql<{ sequence: number; origin: string; note: string; root: string }>`
      select sequence, origin, note, checkpoint ->> 'root' as root from ledger_note join ledger_checkpoint using (sequence) order by sequence
    `.execute(database());
    expect(rows.length).toBeGreaterThan(1);
    for (const { sequence, origin, note, root } of rows)
      expect(parseCheckpointNote(note)).toMatchObject({ origin, size: sequence, root });
    expect(new Set(rows.map(({ origin }) => origin))).toEqual(new Set(['localhost:3000/api/log']));
    process.env.TIPLEDGER_LOG_ORIGIN = 'elsewhere.example/log';
    try {
      await undone(async () => {
        const checkpoint = await signLedger(new Date('2026-03-12T00:00:00.000Z'));
        const later = await sql<{
          origin: string;
        }>`select origin from ledger_note where sequence = ${checkpoint?.sequence ?? 0}`.execute(database());
        expect(later.rows).toEqual([{ origin: 'localhost:3000/api/log' }]);
      })();
    } finally {
      delete process.env.TIPLEDGER_LOG_ORIGIN;
    }
  });
});

describe('a ledger from before notes', () => {
  test('is signed as a note at the next signing although nothing was appended since', async () => {
    await onOwnConnection(async (client) => {
      await client.query(
        'create table kept_notes as table ledger_note; create table kept_cosignatures as table ledger_cosignature',
      );
      await client.query(
        'alter table ledger_note disable trigger all; alter table ledger_cosignature disable trigger all; delete from ledger_cosignature; delete from ledger_note',
      );
      try {
        await undone(async () => {
          expect(await signLedger(new Date('2026-03-12T00:02:00.000Z'))).toMatchObject({ counted: true });
          expect(await signLedger(new Date('2026-03-12T00:03:00.000Z'))).toBeNull();
        })();
      } finally {
        await client.query(
          'insert into ledger_note table kept_notes; insert into ledger_cosignature table kept_cosignatures; drop table kept_notes, kept_cosignatures',
        );
        await client.query(
          'alter table ledger_note enable trigger all; alter table ledger_cosignature enable trigger all',
        );
        await client.query(
          'alter table ledger_note enable always trigger ledger_note_kept, enable always trigger ledger_note_not_emptied',
        );
        await client.query(
          'alter table ledger_cosignature enable always trigger ledger_cosignature_kept, enable always trigger ledger_cosignature_not_emptied',
        );
      }
    });
  });
});

describe('the newest entries', () => {
  test('come newest first, with their number in all', async () => {
    const { items, total } = await listNewestEntries(3);
    expect([total, items.map(({ sequence }) => sequence)]).toEqual([
      await countEntries(),
      [total, total - 1, total - 2],
    ]);
    expect((await listEntries({ after: total - 3, limit: 10 })).items.toReversed()).toEqual(items);
  });
});

describe('what was published', () => {
  const columns = {
    tip: [
      'reference',
      'stake_hundredths',
      'published_at',
      'first_starts_at',
      'analysis',
      'free',
      'hidden',
      'portfolio_id',
    ],
    tip_leg: ['odds_thousandths', 'selection_id', 'starts_at', 'bookmaker_id', 'position'],
    tip_settlement: ['version', 'outcome', 'reason'],
    ledger_entry: ['sequence', 'portfolio_sequence', 'kind', 'portfolio', 'tip', 'entry', 'hash'],
    ledger_node: ['level', 'index', 'hash'],
    ledger_checkpoint: ['sequence', 'checkpoint'],
    ledger_note: ['sequence', 'origin', 'note'],
    ledger_cosignature: ['sequence', 'witness', 'line'],
  } as const;
  type Table = keyof typeof columns;
  const tables = Object.keys(columns) as Table[];
  const wheres = [
    '',
    'where true',
    'where ctid is not null',
    'where ctid = (select min(ctid) from %t)',
    'where ctid in (select ctid from %t order by ctid desc limit 1)',
    'where exists (select 1)',
  ];

  const shapes: ((table: Table, column: string, where: string) => string)[] = [
    (table, column, where) => `update ${table} set ${column} = ${column} ${where}`,
    (table, column, where) => `update only ${table} as other set ${column} = other.${column} ${where}`,
    (table, column, where) => `update ${table} set ${column} = null ${where}`,
    (table, column) =>
      `update ${table} set ${column} = other.${column} from ${table} other where other.ctid = ${table}.ctid`,
    (table, column, where) =>
      `with altered as (update ${table} set ${column} = ${column} ${where} returning 1) select count(*) from altered`,
    (table, _, where) => `delete from ${table} ${where}`,
    (table, _, where) => `with gone as (delete from ${table} ${where} returning *) select count(*) from gone`,
    (table) => `delete from ${table} using ${table} other where other.ctid = ${table}.ctid`,
    (table) => `truncate ${table} cascade`,
    (table) => `truncate only ${table} restart identity cascade`,
    (table) =>
      `merge into ${table} using (select ctid as place from ${table}) other on ${table}.ctid = other.place when matched then delete`,
    (table, column) =>
      `merge into ${table} using (select ctid as place from ${table}) other on ${table}.ctid = other.place when matched then update set ${column} = ${table}.${column}`,
    (table, column, where) => `do $$ begin execute 'update ${table} set ${column} = ${column} ${where}'; end $$`,
    (table, _, where) => `set session_replication_role = replica; delete from ${table} ${where}`,
    (table, column, where) =>
      `set local session_replication_role = replica; update ${table} set ${column} = ${column} ${where}`,
  ];

  const contentOf = async () => {
    const texts = await Promise.all(
      tables.map((table) =>
        sql<{
          text: string;
        }>`select md5(string_agg(whole::text, '|' order by whole::text)) as text from ${sql.table(table)} whole`.execute(
          database(),
        ),
      ),
    );
    return texts.map(({ rows }) => rows[0]?.text);
  };

  test('withstands 2,000 random statements that alter it, each refused for that reason', async () => {
    const before = await contentOf();
    expect(before.every(Boolean)).toBe(true);
    const roll = dice(20261121);
    const passed: string[] = [];
    const answers = new Map<string, number>();
    await onOwnConnection(async (client) => {
      for (let attempt = 0; attempt < 2000; attempt += 1) {
        const table = tables[roll(tables.length)] ?? 'tip';
        const column = columns[table][roll(columns[table].length)] ?? 'ctid';
        const where = (wheres[roll(wheres.length)] ?? '').replaceAll('%t', table);
        const statement = (shapes[attempt % shapes.length] ?? shapes[0]!)(table, column, where);
        await client.query('begin');
        const refusal = await client.query(statement).then(
          () => 'none',
          (error: Error) => error.message,
        );
        await client.query('rollback');
        if (/what was published is never changed or deleted/.test(refusal))
          answers.set(table, (answers.get(table) ?? 0) + 1);
        else passed.push(`${statement}: ${refusal}`);
      }
    });
    expect(passed).toEqual([]);
    expect([...answers.keys()].toSorted()).toEqual(tables.toSorted());
    expect(await contentOf()).toEqual(before);
    expect(await verify()).toMatchObject({ ok: true });
  });

  const alterations: Record<string, [table: string, statement: string, kind: string]> = {
    'an entry that says something else': [
      'ledger_entry',
      `update ledger_entry set entry = replace(entry, '"stakeHundredths":100', '"stakeHundredths":900') where sequence = 1`,
      'hash',
    ],
    'an entry under another number': [
      'ledger_entry',
      `update ledger_entry set entry = replace(entry, '"sequence":3,', '"sequence":4,') where sequence = 3`,
      'hash',
    ],
    'a missing entry': [
      'ledger_entry',
      `delete from ledger_entry where sequence = (select max(sequence) - 1 from ledger_entry)`,
      'sequence',
    ],
    'a missing end': [
      'ledger_entry',
      `delete from ledger_entry where sequence > 4 and not exists (select 1 from ledger_checkpoint where ledger_checkpoint.sequence = ledger_entry.sequence)`,
      'sequence',
    ],
    'a checkpoint of other entries': [
      'ledger_checkpoint',
      `update ledger_checkpoint set checkpoint = jsonb_set(checkpoint, '{root}', to_jsonb(repeat('ab', 32)))`,
      'signature',
    ],
    'a checkpoint of another time': [
      'ledger_checkpoint',
      `update ledger_checkpoint set checkpoint = jsonb_set(checkpoint, '{at}', '"2026-03-10T12:00:01.000Z"') where sequence = 2`,
      'signature',
    ],
  };

  test.each(Object.entries(alterations))(
    '%s, written by an owner who switches the triggers off, is found by the verifier',
    async (_, [table, statement, kind]) => {
      await altered(table, statement, async () => expect((await verify()).firstProblem?.kind).toBe(kind));
      expect(await verify()).toMatchObject({ ok: true });
    },
  );

  test('a tree whose nodes were altered proves nothing any more', async () => {
    await altered('ledger_node', `update ledger_node set hash = repeat('cd', 32)`, async () => {
      expect((await problemOfTip(await proveTip(recorded.hidden)))?.kind).toBe('proof');
      expect((await verify('ndjson', recorded.ann)).firstProblem?.kind).toBe('proof');
    });
  });

  /** Runs `look` on a database in which the owner altered a table behind its triggers, and puts back what was there. */
  async function altered(table: string, statement: string, look: () => Promise<void>): Promise<void> {
    await onOwnConnection(async (client) => {
      await client.query(`create table kept as table ${table}`);
      await client.query(`alter table ${table} disable trigger all`);
      const { rowCount } = await client.query(statement);
      expect(rowCount).toBeGreaterThan(0);
      forgetEverything();
      try {
        await look();
      } finally {
        await client.query(
          `delete from ${table}; insert into ${table} table kept; drop table kept; alter table ${table} enable trigger all`,
        );
        forgetEverything();
      }
    });
  }
});
