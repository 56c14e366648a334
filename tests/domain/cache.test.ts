import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import { cached, forget, forgetEverything, pollForgotten } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { asOwner, onOwnConnection, onTestDatabase } from '../support/database';
import { newInstance } from '../support/instances';

onTestDatabase();

/** Shadows the clock of PostgreSQL for connections that are made from here on, so that the tests can turn it. */
beforeAll(() =>
  onOwnConnection((client) =>
    client.query(`
      create schema turned;
      create table turned.clock (seconds int not null);
      insert into turned.clock values (0);
      create function turned.clock_timestamp() returns timestamptz language sql volatile as
        'select pg_catalog.clock_timestamp() + seconds * interval ''1 second'' from turned.clock';
      do $$ begin execute format('alter database %I set search_path = turned, pg_catalog, public', current_database()); end $$;`),
  ),
);

const turnClock = (seconds: number) => asOwner(sql`update turned.clock set seconds = ${seconds}`);

beforeEach(() => forgetEverything());

/** Runs a body outside the transaction of whoever calls it, as another request would. */
const outside = AsyncLocalStorage.snapshot();

/** A read that counts how often it is made and answers with that number. */
function counter(): { read: () => Promise<number>; count: () => number } {
  let count = 0;
  return { read: async () => (count += 1), count: () => count };
}

/** A read that answers when it is told to. */
function gate<T>(): { read: () => Promise<T>; open: (value: T) => void } {
  let open: (value: T) => void = () => undefined;
  const opened = new Promise<T>((resolve) => (open = resolve));
  return { read: () => opened, open };
}

describe('what is cached', () => {
  test('is read once and kept', async () => {
    const { read, count } = counter();
    expect(await cached('a', 60, ['t'], read)).toBe(1);
    expect(await cached('a', 60, ['t'], read)).toBe(1);
    expect(await cached('b', 60, ['t'], read)).toBe(2);
    expect(count()).toBe(2);
  });

  test('is read once by all who ask at once', async () => {
    const { read, count } = counter();
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return read();
    };
    expect(await Promise.all(Array.from({ length: 50 }, () => cached('a', 60, [], slow)))).toEqual(
      Array<number>(50).fill(1),
    );
    expect(count()).toBe(1);
  });

  test('may be null, and is kept as such', async () => {
    const read = jest.fn(async () => null);
    await cached('a', 60, [], read);
    expect(await cached('a', 60, [], read)).toBeNull();
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('is read again after its time', async () => {
    const { read } = counter();
    await cached('a', 0.05, [], read);
    expect(await cached('a', 0.05, [], read)).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 70));
    expect(await cached('a', 0.05, [], read)).toBe(2);
  });

  test('is nothing when the read fails; all who waited hear of it and the next one reads', async () => {
    const fails = jest.fn(() => Promise.reject(new Error('no')));
    const outcomes = await Promise.allSettled([cached('a', 60, [], fails), cached('a', 60, [], fails)]);
    expect([outcomes.map(({ status }) => status), fails.mock.calls.length]).toEqual([['rejected', 'rejected'], 1]);
    expect(await cached('a', 60, [], async () => 'yes')).toBe('yes');
  });
});

describe('forgetting', () => {
  test('drops what stands under the tags and nothing else', async () => {
    const { read } = counter();
    await cached('a', 60, ['one', 'both'], read);
    await cached('b', 60, ['two', 'both'], read);
    await forget(['one']);
    expect([await cached('a', 60, ['one', 'both'], read), await cached('b', 60, ['two', 'both'], read)]).toEqual([
      3, 2,
    ]);
    await forget(['both', 'both']);
    expect([await cached('a', 60, ['one', 'both'], read), await cached('b', 60, ['two', 'both'], read)]).toEqual([
      4, 5,
    ]);
    await forget([]);
    expect(await cached('a', 60, ['one', 'both'], read)).toBe(4);
  });

  test('of more tags than are remembered, while something is read, leaves that unkept', async () => {
    const { read, open } = gate<number>();
    const first = cached('a', 60, ['one'], read);
    await forget(Array.from({ length: 20_002 }, (_, index) => `other-${index}`));
    open(1);
    expect(await first).toBe(1);
    expect(await cached('a', 60, ['one'], async () => 2)).toBe(2);
    await forget(['other-1']);
    expect(await cached('a', 60, ['one'], async () => 3)).toBe(2);
  });

  test('waits for the commit of the transaction that it stands in', async () => {
    const { read } = counter();
    await cached('a', 60, ['one'], read);
    await transact(async () => {
      await forget(['one']);
      expect(await outside(() => cached('a', 60, ['one'], read))).toBe(1);
    });
    expect(await cached('a', 60, ['one'], read)).toBe(2);
  });

  test('does nothing in a transaction that is rolled back, here or elsewhere', async () => {
    const { read } = counter();
    await cached('a', 60, ['undone'], read);
    await expect(
      transact(async () => {
        await forget(['undone']);
        throw new Error('back');
      }),
    ).rejects.toThrow('back');
    expect(await cached('a', 60, ['undone'], read)).toBe(1);
    expect((await sql`select 1 from cache_version where topic = 'undone'`.execute(database())).rows).toEqual([]);
  });

  test('keeps nothing that was being read meanwhile, and nobody after it joins that read', async () => {
    const old = gate<string>();
    const reading = cached('a', 60, ['one'], old.read);
    await forget(['one']);
    const fresh = await cached('a', 60, ['one'], async () => 'new');
    old.open('old');
    expect([await reading, fresh, await cached('a', 60, ['one'], async () => 'newest')]).toEqual(['old', 'new', 'new']);
  });

  test('keeps no read that began before it even when nobody asked in between', async () => {
    const old = gate<string>();
    const reading = cached('a', 60, ['one'], old.read);
    await forget(['one']);
    old.open('old');
    await reading;
    expect(await cached('a', 60, ['one'], async () => 'new')).toBe('new');
  });
});

describe('a transaction', () => {
  test('reads its own truth and leaves none of it in the cache', async () => {
    const named = () =>
      cached(
        'name',
        60,
        ['names'],
        async () =>
          (
            await sql<{ name: string }>`select name from league where reference = 'england-northern-league'`.execute(
              database(),
            )
          ).rows[0]?.name,
      );
    expect(await named()).toBe('Northern League');
    await expect(
      transact(async () => {
        await asOwner(sql`update league set name = 'Changed' where reference = 'england-northern-league'`, {
          unguarded: 'league',
        });
        expect(await named()).toBe('Changed');
        throw new Error('back');
      }),
    ).rejects.toThrow('back');
    expect(await named()).toBe('Northern League');
    forgetEverything();
    await expect(
      transact(async () => {
        await asOwner(sql`update league set name = 'Changed' where reference = 'england-northern-league'`, {
          unguarded: 'league',
        });
        await named();
        throw new Error('back');
      }),
    ).rejects.toThrow('back');
    expect(await named()).toBe('Northern League');
  });
});

describe('another instance', () => {
  test('drops what this one forgot when it next polls, once', async () => {
    const [there, { read }] = [newInstance(), counter()];
    const look = () => there(() => cached('a', 60, ['shared'], read));
    await there(pollForgotten);
    expect(await look()).toBe(1);
    await forget(['shared']);
    expect(await look()).toBe(1);
    await there(pollForgotten);
    expect(await look()).toBe(2);
    await there(pollForgotten);
    expect(await look()).toBe(2);
    await forget(['shared']);
    await forget(['shared']);
    await there(pollForgotten);
    expect(await look()).toBe(3);
  });

  test('keeps nothing that it was reading while it heard of the change', async () => {
    const [there, old] = [newInstance(), gate<string>()];
    await there(pollForgotten);
    const reading = there(async () => ({ value: cached('a', 60, ['shared'], old.read) }));
    await forget(['shared']);
    await there(pollForgotten);
    old.open('old');
    await (await reading).value;
    expect(await there(() => cached('a', 60, ['shared'], async () => 'new'))).toBe('new');
  });

  test('hears of what was forgotten while it could not poll for minutes', async () => {
    const [there, { read }] = [newInstance(), counter()];
    await forget(['slow']);
    await there(pollForgotten);
    expect(await there(() => cached('a', 600, ['slow'], read))).toBe(1);
    await turnClock(60);
    await forget(['slow']);
    await turnClock(600);
    await there(pollForgotten);
    expect(await there(() => cached('a', 600, ['slow'], read))).toBe(2);
    await turnClock(0);
  });
});
