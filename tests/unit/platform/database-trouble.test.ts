import { troubleOf } from '@/lib/platform/database-trouble';

// PgBouncer 1.18 answers with the code of a broken protocol, and says what it is in words.
test.each([
  ['server conn crashed?', 'away'],
  ['query_wait_timeout', 'away'],
  ['pgbouncer cannot connect to server', 'away'],
  ['server login has been failing, try again later (server_login_retry)', 'away'],
  ['no more connections allowed (max_client_conn)', 'crowded'],
  ['bind message supplies 2 parameters, but prepared statement "" requires 1', null],
])('an error "%s" of the code 08P01 tells of %s', (message, trouble) => {
  expect(troubleOf(Object.assign(new Error(message), { code: '08P01' }))).toBe(trouble);
});
