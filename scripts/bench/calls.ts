import { sql } from 'kysely';
import { createAccount, hashPassword } from '@/lib/accounts/commands';
import { callAddress } from '@/lib/calls';
import { now } from '@/lib/platform/clock';
import { database } from '@/lib/platform/database';
import { inWords, table } from './benchmark';
import { load } from './load';
import { cpuSeconds, type Server } from './servers';

const password = 'eleven amber benches';

/** Opens an account and signs it in through the server; its access token. */
async function signIn({ port }: Server): Promise<string> {
  const username = 'bench-member';
  const id = await createAccount({ username, demo: false }, now());
  const passwordHash = await hashPassword(password);
  await sql`update account set email = 'bench@example.org', password_hash = ${passwordHash}, email_confirmed = true where id = ${id}`.execute(
    database(),
  );
  const response = await fetch(`http://127.0.0.1:${port}${callAddress('POST /auth/token')}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const { token } = (await response.json()) as { token: string | null };
  if (token === null) throw new Error('The member of the benchmark could not sign in.');
  return token;
}

/** Prints what calls cost the program: one that does nothing, beside /healthz and the same through Next, one that is kept, and a member's own. */
export async function measureCalls(
  own: Server,
  framework: Server,
  { idle, connections, seconds }: { idle: ReadonlyMap<Server, number>; connections: number; seconds: number },
): Promise<void> {
  const token = await signIn(own);
  const version = callAddress('GET /edge/version');
  const asked: [what: string, server: Server, path: string, bearer?: string][] = [
    ['/healthz', own, '/healthz'],
    [version, own, version],
    [`${version} through Next`, framework, version],
    [`${callAddress('GET /live-scores')}, kept`, own, callAddress('GET /live-scores')],
    [`${callAddress('GET /user')}, a member’s own`, own, callAddress('GET /user'), token],
  ];
  const rows: string[][] = [];
  for (const [what, server, path, bearer] of asked) {
    await load({ port: server.port, path, connections, seconds: 1, bearer });
    const before = cpuSeconds(server.pid);
    const { answers, seconds: taken } = await load({ port: server.port, path, connections, seconds, bearer });
    const used = cpuSeconds(server.pid) - before - (idle.get(server) ?? 0) * taken;
    rows.push([what, inWords(Math.round(answers / taken)), ((used / Math.max(answers, 1)) * 1e6).toFixed(1)]);
  }
  process.stdout.write(`\n${table([['call', 'requests/s', 'CPU µs a request'], ...rows])}\n`);
}
