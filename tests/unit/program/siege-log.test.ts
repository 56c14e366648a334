import { PassThrough } from 'node:stream';
import { setImmediate as settled } from 'node:timers/promises';
import { watchErrors } from '@/scripts/siege/logged';

test('each error in the log of a program under siege is told, however its lines are cut and whatever stands between them', async () => {
  const told: string[] = [];
  const log = new PassThrough();
  watchErrors(log, (what) => told.push(what));
  const line = (entry: object) => `${JSON.stringify(entry)}\n`;
  const first = line({
    event: 'server_error',
    status: 500,
    method: 'GET',
    path: '/football',
    err: { message: 'broken' },
  });
  log.write(line({ event: 'request', status: 200 }) + first.slice(0, 20));
  log.write(first.slice(20) + 'x'.repeat(10_000));
  log.write(
    `\nno json, though "server_error" is in it\n${line({ event: 'browser', browser: { name: 'server_error' } })}`,
  );
  log.write(line({ event: 'server_error', message: 'by a library', err: {} }));
  await settled();
  expect(told).toEqual(['The log holds an error: GET /football broken', 'The log holds an error: by a library']);
});
