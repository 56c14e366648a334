import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../bench/servers';
import { Refusal } from '../bench/benchmark';
import { onConnection } from './connection';

const versions = ['18', '17', '16', '15'];

/** The folder of the programs of an installed PostgreSQL. */
function programs(): string {
  const folder = versions.map((version) => `/usr/lib/postgresql/${version}/bin`).find((each) => existsSync(each));
  if (folder === undefined) throw new Refusal('PostgreSQL is not installed here, in /usr/lib/postgresql.');
  return folder;
}

/** Runs a command as the account `postgres`, since PostgreSQL does not run as root. */
async function asPostgres(command: string, args: readonly string[]): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  const all = [...(isRoot ? ['--reuid=postgres', '--regid=postgres', '--clear-groups', command] : []), ...args];
  const child = spawn(isRoot ? 'setpriv' : command, all, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${said}`);
}

/** A PostgreSQL on a port of its own, that replicates another or is replicated. */
export class Postgres {
  readonly folder: string;
  readonly port: number;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
  }

  /** Makes a server with an owner who administers it; commits wait for its standby once `waitForStandby` asks for it. */
  static async make(folder: string): Promise<Postgres> {
    const server = new Postgres(folder, await freePort());
    await asPostgres(path.join(programs(), 'initdb'), [
      '-D',
      folder,
      '-U',
      'postgres',
      '-A',
      'trust',
      '--no-sync',
      '-E',
      'UTF8',
    ]);
    await server.#start();
    return server;
  }

  /** Makes a standby of another server that streams from it. */
  static async follow(folder: string, primary: Postgres): Promise<Postgres> {
    const server = new Postgres(folder, await freePort());
    await asPostgres(path.join(programs(), 'pg_basebackup'), [
      ...['-D', folder, '-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres'],
      ...['-X', 'stream', '-c', 'fast', '-R', '--no-sync'],
    ]);
    await server.#start();
    return server;
  }

  /** The URL of a database of it, for a role. */
  url(role: string, database: string): string {
    return `postgres://${role}:${role}@127.0.0.1:${this.port}/${database}?sslmode=disable`;
  }

  async #start(): Promise<void> {
    const settings = [
      `-p ${this.port}`,
      '-c listen_addresses=127.0.0.1',
      `-c unix_socket_directories=${this.folder}`,
      '-c max_connections=100',
      '-c wal_level=replica',
      '-c hot_standby=on',
    ];
    await asPostgres(path.join(programs(), 'pg_ctl'), [
      ...['-D', this.folder, '-w', '-l', path.join(this.folder, 'log'), '-o', settings.join(' '), 'start'],
    ]);
  }

  async administer(statement: string): Promise<void> {
    await onConnection(this.url('postgres', 'postgres'), (client) => client.query(statement));
  }

  /** From now on commits are acknowledged when a standby has flushed them too, or with `false` at once. */
  async waitForStandby(isWanted: boolean): Promise<void> {
    await this.administer(`alter system set synchronous_standby_names = '${isWanted ? '*' : ''}'`);
    await this.administer('select pg_reload_conf()');
    if (!isWanted) return;
    const isStreaming = async () =>
      onConnection(this.url('postgres', 'postgres'), async (client) => {
        const { rowCount } = await client.query("select from pg_stat_replication where sync_state = 'sync'");
        return rowCount === 1;
      });
    while (!(await isStreaming())) await sleep(50);
  }

  /** Kills the server and everything of it without warning. */
  kill(): void {
    const postmaster = Number.parseInt(readFileSync(path.join(this.folder, 'postmaster.pid'), 'utf8'), 10);
    const children = childrenOf(postmaster);
    for (const pid of [postmaster, ...children])
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended with the postmaster.
      }
  }

  /** Makes a standby the primary; it waits for no standby of its own. */
  async promote(): Promise<void> {
    appendFileSync(path.join(this.folder, 'postgresql.auto.conf'), "synchronous_standby_names = ''\n");
    const control = path.join(programs(), 'pg_ctl');
    await asPostgres(control, ['-D', this.folder, 'reload']);
    await asPostgres(control, ['-D', this.folder, '-w', 'promote']);
  }

  async stop(): Promise<void> {
    try {
      await asPostgres(path.join(programs(), 'pg_ctl'), ['-D', this.folder, '-m', 'immediate', 'stop']);
    } catch {
      // It does not run.
    }
  }
}

/** The processes that a process has started. */
export function childrenOf(pid: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

/** Makes a folder that the account `postgres` owns. */
export function makePostgresFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (process.geteuid?.() === 0) execFileSync('chown', ['postgres:postgres', folder]);
}

/** Makes the roles and the database by deploy/roles.sh; each role's password is its name. */
export function makeRoles(server: Postgres, folder: string): void {
  for (const [name, role] of [
    ['owner', 'tipledger_owner'],
    ['program', 'tipledger_program'],
  ] as const)
    writeFileSync(path.join(folder, name), role);
  execFileSync('sh', ['deploy/roles.sh'], {
    env: { ...process.env, SECRETS: folder, PGUSER: 'postgres', PGHOST: '127.0.0.1', PGPORT: String(server.port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** A PgBouncer with deploy/pgbouncer.ini that leads to a server, and to another when it is told so. */
export class Bouncer {
  readonly port: number;
  readonly #folder: string;
  #pid = 0;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  static async start(folder: string, server: Postgres): Promise<Bouncer> {
    const bouncer = new Bouncer(folder, await freePort());
    writeFileSync(path.join(folder, 'userlist.txt'), '"tipledger_program" "tipledger_program"\n');
    bouncer.#point(server);
    const file = path.join(folder, 'pgbouncer.ini');
    const isRoot = process.geteuid?.() === 0;
    const child = spawn(
      isRoot ? 'setpriv' : 'pgbouncer',
      [...(isRoot ? ['--reuid=postgres', '--regid=postgres', '--clear-groups', 'pgbouncer'] : []), file],
      { env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }, stdio: 'ignore' },
    );
    const failed = new Promise<never>((_, reject) =>
      child.once('error', reject).once('exit', (code) => reject(new Error(`PgBouncer ended with ${code}.`))),
    );
    failed.catch(() => undefined);
    bouncer.#pid = child.pid ?? 0;
    const answers = async () => {
      for (;;) {
        const isUp = await onConnection(bouncer.url, (client) => client.query('select 1')).then(
          () => true,
          () => false,
        );
        if (isUp) return;
        await sleep(50);
      }
    };
    await Promise.race([answers(), failed]);
    return bouncer;
  }

  get url(): string {
    return `postgres://tipledger_program:tipledger_program@127.0.0.1:${this.port}/tipledger?sslmode=disable`;
  }

  /** Leads to another server from now on. */
  leadTo(server: Postgres): void {
    this.#point(server);
    process.kill(this.#pid, 'SIGHUP');
  }

  #point(server: Postgres): void {
    const sample = readFileSync('deploy/pgbouncer.ini', 'utf8')
      .replace('host=127.0.0.1 port=5432', `host=127.0.0.1 port=${server.port}`)
      .replace('listen_port = 6432', `listen_port = ${this.port}\nunix_socket_dir =`)
      .replace('/etc/pgbouncer/', `${this.#folder}/`);
    writeFileSync(path.join(this.#folder, 'pgbouncer.ini'), sample);
  }

  end(): void {
    try {
      process.kill(this.#pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
