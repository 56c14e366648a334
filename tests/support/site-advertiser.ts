import { generateKeyPairSync, sign } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';

/** An advertiser's server at `origin`, which only browsers that go through `proxy` reach; `hosts` are all those that such browsers asked for anything, in their order, and `asked` the paths of the advertiser's. */
export type Advertiser = {
  origin: string;
  proxy: { server: string };
  hosts: string[];
  asked: string[];
  breakDown(): void;
  end(): Promise<void>;
};

const host = 'advertiser.example';

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const length =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const object = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const moment = (milliseconds: number) =>
  der(0x17, Buffer.from(`${new Date(milliseconds).toISOString().slice(2, 19).replace(/[-T:]/g, '')}Z`));

/** A certificate of a day for the host, signed by its own key, made anew for each run so that no key is kept anywhere. */
function makeCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(object('2a8648ce3d040302'));
  const name = sequence(der(0x31, sequence(object('550403'), der(0x0c, Buffer.from(host)))));
  const validity = sequence(moment(Date.now() - 3_600_000), moment(Date.now() + 86_400_000));
  const names = der(0xa3, sequence(sequence(object('551d11'), der(0x04, sequence(der(0x82, Buffer.from(host)))))));
  const statement = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    names,
  );
  const certificate = sequence(
    statement,
    algorithm,
    der(0x03, Buffer.from([0]), sign('sha256', statement, privateKey)),
  );
  const cert = `-----BEGIN CERTIFICATE-----\n${(certificate.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`;
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, cert };
}

// What an advertiser's script does: it looks for its places and fills them.
const script = `for (const place of document.querySelectorAll('[data-ad-slot]')) place.textContent = 'Buy ' + place.dataset.adSlot;`;

const listen = (server: net.Server) =>
  new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );

/** Starts an advertiser and the proxy by which a browser comes to it and to everything else: what leaves the browser is seen there, whoever sent it. */
export async function startAdvertiser(): Promise<Advertiser> {
  const hosts: string[] = [];
  const asked: string[] = [];
  let isBroken = false;
  const shop = https.createServer(makeCertificate(), ({ url = '' }, response) => {
    asked.push(url);
    response
      .writeHead(isBroken ? 500 : 200, { 'content-type': 'text/javascript; charset=utf-8' })
      .end(isBroken ? '' : script);
  });
  const shopPort = await listen(shop);
  const open = new Set<net.Socket>();
  const proxy = http.createServer((request, response) => {
    const { hostname, port, pathname, search } = new URL(request.url ?? '');
    hosts.push(`${hostname}:${port}`);
    const onward = http.request(
      { hostname, port, path: pathname + search, method: request.method, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  proxy.on('connect', ({ url = '' }: http.IncomingMessage, near: net.Socket) => {
    hosts.push(url);
    if (url !== `${host}:443`) return void near.destroy();
    const far = net.connect(shopPort, '127.0.0.1', () => near.write('HTTP/1.1 200 Connection Established\r\n\r\n'));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one
        .on('error', () => other.destroy())
        .on('close', () => open.delete(one))
        .pipe(other);
    }
  });
  const proxyPort = await listen(proxy);
  return {
    origin: `https://${host}`,
    proxy: { server: `http://127.0.0.1:${proxyPort}` },
    ...{ hosts, asked },
    breakDown: () => void (isBroken = true),
    end: async () => {
      for (const socket of open) socket.destroy();
      proxy.closeAllConnections();
      shop.closeAllConnections();
      await Promise.all([proxy, shop].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
