import { callAddress } from '@/lib/calls';
import { routes } from '@/lib/routes';
import { inWords, table } from './benchmark';
import { load } from './load';
import type { Login } from './login';
import { cpuSeconds, type Server } from './servers';

/** Prints what a private page of the member who is logged in costs, and calls: one that does nothing, beside /healthz and the same through Next, one that is kept, and a member's own. */
export async function measureAsked(
  own: Server,
  framework: Server,
  { cookie, bearer }: Login,
  { idle, connections, seconds }: { idle: ReadonlyMap<Server, number>; connections: number; seconds: number },
): Promise<void> {
  const version = callAddress('GET /edge/version');
  const asked: [what: string, server: Server, path: string, headers?: Record<string, string>][] = [
    [`${routes.dashboard()}, rendered for its member`, own, routes.dashboard(), { cookie }],
    ['/healthz', own, '/healthz'],
    [version, own, version],
    [`${version} through Next`, framework, version],
    [`${callAddress('GET /live-scores')}, kept`, own, callAddress('GET /live-scores')],
    [`${callAddress('GET /user')}, a member’s own`, own, callAddress('GET /user'), { authorization: bearer }],
  ];
  const rows: string[][] = [];
  for (const [what, server, path, headers] of asked) {
    await load({ port: server.port, path, connections, seconds: 1, headers });
    const before = cpuSeconds(server.pid);
    const { answers, seconds: taken } = await load({ port: server.port, path, connections, seconds, headers });
    const used = cpuSeconds(server.pid) - before - (idle.get(server) ?? 0) * taken;
    rows.push([what, inWords(Math.round(answers / taken)), ((used / Math.max(answers, 1)) * 1e6).toFixed(1)]);
  }
  process.stdout.write(`\n${table([['asked for', 'requests/s', 'CPU µs a request'], ...rows])}\n`);
}
