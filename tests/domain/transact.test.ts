import { sql } from 'kysely';
import pg from 'pg';
import { closeProbe, probeDatabase } from '@/lib/platform/database-probe';
import { ofDatabase } from '@/lib/platform/database-trouble';
import {
  afterCommit,
  database,
  isConnectionLost,
  isInTransaction,
  onDatabaseLost,
  transact,
  withinTransactionOf,
} from '@/lib/platform/database';
import { asOwner, onOwnConnection, onTestDatabase } from '../support/database';

onTestDatabase();

beforeAll(() =>
  onOwnConnection((client) =>
    client.query(
      'create table note (text text not null); create table tally (name text primary key, balance int not null); grant select, insert, update on note, tally to public',
    ),
  ),
);
beforeEach(() =>
  onOwnConnection((client) =>
    client.query(`truncate note; truncate tally; insert into tally values ('a', 0), ('b', 0)`),
  ),
);

const write = (text: string) => sql`insert into note values (${text})`.execute(database());
const notes = () =>
  onOwnConnection(async (client) =>
    (await client.query<{ text: string }>('select text from note order by text')).rows.map(({ text }) => text),
  );

const ownPid = async () =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database())).rows[0]?.pid;
const terminate = (pid: number | undefined) =>
  onOwnConnection((client) => client.query('select pg_terminate_backend($1, 2000)', [pid]));

/** An error as the database gives it. */
const failing = (code: string) => Object.assign(new Error(`error ${code}`), { code });

describe('a transaction', () => {
  test('asks a connection of the pool for one thing after the other', async () => {
    let [underWay, most] = [0, 0];
    const query = pg.Client.prototype.query as (...asked: unknown[]) => Promise<unknown>;
    const asked = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
      this: pg.Client,
      ...given: unknown[]
    ) {
      most = Math.max(most, (underWay += 1));
      return query.apply(this, given).finally(() => (underWay -= 1));
    } as never);
    const pids = await transact(() => Promise.all([ownPid(), ownPid(), ownPid()])).finally(() => asked.mockRestore());
    expect([new Set(pids).size, most]).toEqual([1, 1]);
  });

  test('asks its connection for one thing after the other, in order, whatever is asked side by side and fails', async () => {
    const asked: unknown[] = [];
    let underWay = 0;
    const query = async (text: string, [value]: unknown[]) => {
      expect((underWay += 1)).toBe(1);
      asked.push(value);
      await new Promise((resolve) => setTimeout(resolve, 5));
      underWay -= 1;
      if (value === 2) throw new Error('no');
      return { command: 'SELECT', rowCount: 1, rows: [{ text, value }] };
    };
    const read = (value: number) =>
      sql<{ value: number }>`select ${value}`.execute(database()).then(({ rows }) => rows[0]?.value, String);
    const given = await withinTransactionOf({ query } as unknown as pg.Client, () =>
      Promise.all([1, 2, 3].map((value) => read(value))),
    );
    expect([given, asked]).toEqual([
      [1, 'Error: no', 3],
      [1, 2, 3],
    ]);
  });

  test('commits when its work is done and gives what the work gives', async () => {
    expect(isInTransaction()).toBe(false);
    const given = await transact(async () => {
      expect(isInTransaction()).toBe(true);
      await write('a');
      expect(await notes()).toEqual([]);
      return 7;
    });
    expect([given, await notes()]).toEqual([7, ['a']]);
  });

  test('leaves nothing when its work fails, and fails with the same error, once', async () => {
    const error = new Error('no');
    const work = jest.fn(async () => {
      await write('a');
      throw error;
    });
    await expect(transact(work)).rejects.toBe(error);
    expect([work.mock.calls.length, await notes()]).toEqual([1, []]);
  });

  test('keeps two that run at once apart', async () => {
    await Promise.allSettled([
      transact(async () => {
        await write('kept');
      }),
      transact(async () => {
        await write('lost');
        throw new Error('no');
      }),
    ]);
    expect(await notes()).toEqual(['kept']);
  });

  test.each(['40001', '40P01'])('is tried again after the error %s, and writes once', async (code) => {
    let tries = 0;
    await transact(async () => {
      tries += 1;
      await write('a');
      if (tries < 3) throw failing(code);
    });
    expect([tries, await notes()]).toEqual([3, ['a']]);
  });

  test('gives up after eight tries', async () => {
    const work = jest.fn(() => Promise.reject(failing('40001')));
    await expect(transact(work)).rejects.toThrow('error 40001');
    expect(work).toHaveBeenCalledTimes(8);
  });

  test.each(['23505', '22P02', '57014', ''])('is not tried again after the error %j', async (code) => {
    const work = jest.fn(() => Promise.reject(failing(code)));
    await expect(transact(work, { repeatable: true })).rejects.toThrow();
    expect(work).toHaveBeenCalledTimes(1);
  });

  test('comes through a serialisation failure of the real database', async () => {
    let tries = 0;
    await transact(async () => {
      tries += 1;
      await sql`set transaction isolation level repeatable read`.execute(database());
      const { rows } = await sql<{ balance: number }>`select balance from tally where name = 'a'`.execute(database());
      if (tries === 1)
        await onOwnConnection((client) => client.query(`update tally set balance = 100 where name = 'a'`));
      await sql`update tally set balance = ${(rows[0]?.balance ?? 0) + 1} where name = 'a'`.execute(database());
    });
    const { rows } = await sql`select balance from tally where name = 'a'`.execute(database());
    expect([tries, rows]).toEqual([2, [{ balance: 101 }]]);
  });

  test('comes through a deadlock of the real database', async () => {
    const add = (first: string, second: string) =>
      transact(async () => {
        await asOwner(sql`set local deadlock_timeout = '20ms'`);
        for (const name of [first, second]) {
          await sql`update tally set balance = balance + 1 where name = ${name}`.execute(database());
          await new Promise((resolve) => setTimeout(resolve, 40));
        }
      });
    await Promise.all([add('a', 'b'), add('b', 'a')]);
    expect((await sql`select name, balance from tally order by name`.execute(database())).rows).toEqual([
      { name: 'a', balance: 2 },
      { name: 'b', balance: 2 },
    ]);
  });
});

describe('a transaction within another', () => {
  test('is undone alone when it fails and the outer one goes on', async () => {
    await transact(async () => {
      await write('outer');
      await transact(async () => {
        await write('inner');
        throw new Error('no');
      }).catch(() => undefined);
      await transact(() => write('second'));
    });
    expect(await notes()).toEqual(['outer', 'second']);
  });

  test('is undone with the outer one', async () => {
    await transact(async () => {
      await transact(() => write('inner'));
      throw new Error('no');
    }).catch(() => undefined);
    expect(await notes()).toEqual([]);
  });

  test('may stand three deep, each undone to its own beginning', async () => {
    await transact(async () => {
      await write('1');
      await transact(async () => {
        await write('2');
        await transact(async () => {
          await write('3');
          throw new Error('no');
        }).catch(() => undefined);
        await write('4');
      });
    });
    expect(await notes()).toEqual(['1', '2', '4']);
  });

  test('recovers from an error of the database itself', async () => {
    await transact(async () => {
      await transact(() => sql`insert into tally values ('a', 1)`.execute(database())).catch(() => undefined);
      await write('after');
    });
    expect(await notes()).toEqual(['after']);
  });

  test('leaves a conflict to the outer one, which runs again as a whole', async () => {
    let tries = 0;
    await transact(async () => {
      tries += 1;
      await write(`outer ${tries}`);
      await transact(async () => {
        if (tries === 1) throw failing('40001');
      });
    });
    expect(await notes()).toEqual(['outer 2']);
  });
});

describe('what waits for the commit', () => {
  test('is done at once outside a transaction', () => {
    const act = jest.fn();
    afterCommit(act);
    expect(act).toHaveBeenCalledTimes(1);
  });

  test('is done once, in order, when the outermost transaction is committed', async () => {
    const done: string[] = [];
    let tries = 0;
    await transact(async () => {
      tries += 1;
      afterCommit(() => void done.push('first'));
      await transact(async () => afterCommit(() => void done.push('inner')));
      afterCommit(() => void done.push('last'));
      expect(done).toEqual([]);
      if (tries < 2) throw failing('40001');
    });
    expect(done).toEqual(['first', 'inner', 'last']);
  });

  test('is never done when its transaction is undone, alone or with the outer one', async () => {
    const act = jest.fn();
    await transact(async () => {
      afterCommit(act);
      throw new Error('no');
    }).catch(() => undefined);
    await transact(async () => {
      await transact(async () => {
        afterCommit(act);
        throw new Error('no');
      }).catch(() => undefined);
    });
    expect(act).not.toHaveBeenCalled();
  });
});

describe('a lost connection', () => {
  test('is met by running the work again, and the work is done once', async () => {
    let tries = 0;
    await transact(async () => {
      tries += 1;
      await write('a');
      if (tries === 1) await terminate(await ownPid());
      await write('b');
    });
    expect([tries, await notes()]).toEqual([2, ['a', 'b']]);
  });

  test('leaves no connection behind that nobody gets back', async () => {
    for (let round = 0; round < 20; round += 1) {
      await transact(async () => {
        await terminate(await ownPid());
        throw new Error('no');
      }).catch(() => undefined);
    }
    await Promise.all(Array.from({ length: 20 }, () => transact(() => write('a'))));
    expect(await notes()).toHaveLength(20);
  });

  test('is an error when it may have struck after the commit, unless a second run does no harm', async () => {
    const losing = () => {
      let tries = 0;
      return async () => {
        tries += 1;
        await write(`try ${tries}`);
        if (tries === 1) await terminate(await ownPid());
      };
    };
    await expect(transact(losing())).rejects.toThrow(/connection/i);
    expect(await notes()).toEqual([]);
    await transact(losing(), { repeatable: true });
    expect(await notes()).toEqual(['try 2']);
  });

  test('calls for the server to be brought back before the work runs again', async () => {
    const order: string[] = [];
    onDatabaseLost(async () => void order.push('revived'));
    let tries = 0;
    await transact(async () => {
      order.push(`try ${(tries += 1)}`);
      if (tries === 1) await terminate(await ownPid());
      await write('a');
    });
    onDatabaseLost(async () => undefined);
    expect(order).toEqual(['try 1', 'revived', 'try 2']);
  });

  test.each(['57P01', '57P02', '57P03', '08006'])('is told by the code %s', (code) => {
    expect(isConnectionLost(failing(code))).toBe(true);
  });

  test.each(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE'])(
    'is told by the code %s of its own connections, and of no others',
    (code) => {
      expect(isConnectionLost(failing(code))).toBe(false);
      expect(isConnectionLost(ofDatabase(failing(code)))).toBe(true);
    },
  );

  test('is not seen in other errors', () => {
    for (const other of [failing('23505'), failing('57014'), new Error('no'), 'ECONNRESET', null, undefined, {}])
      expect(isConnectionLost(other)).toBe(false);
    expect(isConnectionLost(new Error('Connection terminated unexpectedly'))).toBe(true);
  });
});

test('the database says on a connection of its own that it answers, and takes writes', async () => {
  expect(await probeDatabase()).toEqual({ at: expect.any(Date) as unknown, isReadOnly: false, newer: [] });
  await closeProbe();
});
