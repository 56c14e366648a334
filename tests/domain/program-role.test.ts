import path from 'node:path';
import { openProgram } from '@/lib/program/program';
import { readReadiness } from '@/lib/program/readiness';
import { migrate } from '@/lib/platform/migrations';
import { onBlankDatabase, onEmptyDatabase, onOwnConnection } from '../support/database';
import { inEnvironment } from '../support/environment';
import { programUrl } from '../support/template';

onBlankDatabase();

const ownFolder = path.resolve('migrations');
const say = () => undefined;

test('a program that starts takes the owner out of its environment and goes on as its own role', async () => {
  await inEnvironment({ DATABASE_OWNER_URL: process.env.DATABASE_OWNER_URL ?? '' }, async () => {
    await openProgram(say);
    expect(process.env.DATABASE_OWNER_URL).toBeUndefined();
    expect(await readReadiness()).toEqual({ status: 'ready', record: 'unaudited' });
  });
});

test('a role that may only read starts on a database that is up to date, and is told what to set on one that is not', async () => {
  await onEmptyDatabase(async (url) => {
    await expect(migrate(programUrl(url), ownFolder)).rejects.toThrow(
      'The database is not up to date, and the role tipledger_program may not change it. Set DATABASE_OWNER_URL to the role that owns its tables.',
    );
    await migrate(url, ownFolder, 'tipledger_program');
    expect(await migrate(programUrl(url), ownFolder)).toEqual([]);
  });
});

test('what was granted beside the table of privileges is taken back at the next start, and what is missing is given', async () => {
  await onEmptyDatabase(async (url) => {
    await migrate(url, ownFolder, 'tipledger_program');
    await onOwnConnection(
      (client) =>
        client.query(
          'grant delete on tip to tipledger_program; revoke select on league from tipledger_program; grant update (entry) on ledger_entry to tipledger_program',
        ),
      url,
    );
    await migrate(url, ownFolder, 'tipledger_program');
    const { rows } = await onOwnConnection(
      (client) =>
        client.query(`select has_table_privilege('tipledger_program', 'tip', 'delete') as delete, has_table_privilege('tipledger_program', 'league', 'select') as read,
          has_column_privilege('tipledger_program', 'ledger_entry', 'entry', 'update') as write`),
      url,
    );
    expect(rows).toEqual([{ delete: false, read: true, write: false }]);
  });
});

test('a release that is started beside a newer one leaves the privileges as that has given them', async () => {
  await onEmptyDatabase(async (url) => {
    await migrate(url, ownFolder, 'tipledger_program');
    await onOwnConnection(
      (client) =>
        client.query(
          `create table later (id int);
          grant select, insert on later to tipledger_program;
          grant delete on league to tipledger_program;
          insert into migration (name, checksum, compatible_from) values ('9999-later.sql', 'x', '0001')`,
        ),
      url,
    );
    expect(await migrate(url, ownFolder, 'tipledger_program')).toEqual([]);
    const { rows } = await onOwnConnection(
      (client) =>
        client.query(`select has_table_privilege('tipledger_program', 'later', 'select, insert') as later,
          has_table_privilege('tipledger_program', 'league', 'delete') as more, has_table_privilege('tipledger_program', 'league', 'select') as before`),
      url,
    );
    expect(rows).toEqual([{ later: true, more: true, before: true }]);
  });
});
