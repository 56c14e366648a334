import net from 'node:net';

/** A way to a database that can be cut, stalled and mended: a port of this machine that leads to it. */
export type Bridge = {
  port: number;
  url: string;
  cut(): Promise<void>;
  stall(): void;
  mend(): Promise<void>;
  close(): Promise<void>;
};

function wayTo(url: string): net.NetConnectOpts {
  const { hostname, port, searchParams } = new URL(url);
  const folder = searchParams.get('host');
  return folder === null
    ? { host: hostname, port: Number(port || 5432) }
    : { path: `${folder}/.s.PGSQL.${port || 5432}` };
}

/** Opens a bridge to the database of a URL; `url` leads over it. Stalled, it takes connections and bytes and hands on nothing, as a server that was stopped does. */
export async function openBridge(to: string): Promise<Bridge> {
  const open = new Set<net.Socket>();
  let isStalled = false;
  const server = net.createServer((near) => {
    const far = net.connect(wayTo(to));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one
        .on('error', () => other.destroy())
        .on('close', () => void (open.delete(one), other.destroy()))
        .pipe(other);
      if (isStalled) one.unpipe(other).pause();
      else one.resume();
      Object.assign(one, { other });
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as net.AddressInfo;
  const address = new URL(to);
  const cut = async () => {
    isStalled = false;
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const each of open) each.destroy();
    await closed;
  };
  const otherOf = (socket: net.Socket) => (socket as net.Socket & { other: net.Socket }).other;
  return {
    port,
    url: `postgres://${address.username}${address.password ? `:${address.password}` : ''}@127.0.0.1:${port}${address.pathname}?sslmode=disable`,
    cut,
    stall: () => {
      isStalled = true;
      for (const each of open) each.unpipe(otherOf(each)).pause();
    },
    mend: async () => {
      if (isStalled) for (const each of open) each.pipe(otherOf(each)).resume();
      isStalled = false;
      if (!server.listening) await listen(port);
    },
    close: cut,
  };
}
