import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseAddCheckpoint, vkeyOf } from '@/lib/record/rules';
import { codeOf, Refusal } from '../verify/reading';
import type { Signer, WitnessState } from './state';

const longestBody = 65_536;
const requestMilliseconds = 10_000;

/** A witness that listens: where, and what ends it. */
export type Listening = { address: string; close: () => Promise<void> };

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length > longestBody) return null;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces));
  } catch {
    return null;
  }
}

/** C2SP tlog-witness: answers add-checkpoint at an address such as 127.0.0.1:8080; every other path shows the witness's key and what it cosigned. */
export async function serveWitness(
  listen: string,
  signer: Signer,
  state: WitnessState,
  say: (line: string) => void,
): Promise<Listening> {
  const [, host = '', port = ''] = /^(?:\[?([^\]]*)\]?:)?(\d{1,5})$/.exec(listen) ?? [];
  if (port === '' || Number(port) > 65_535)
    throw new Refusal(`"${listen}" is no address to listen on. Give one such as 127.0.0.1:8080.`);
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const send = (status: number, text: string, type = 'text/plain; charset=utf-8') =>
      void response.writeHead(status, { 'content-type': type }).end(text);
    const { pathname } = new URL(request.url ?? '/', 'http://witness');
    if (pathname !== '/add-checkpoint')
      return pathname === '/'
        ? send(200, `${vkeyOf(signer.key)}\n\n${state.notes().join('\n')}`)
        : send(404, 'There is nothing here. Ask POST /add-checkpoint.\n');
    if (request.method !== 'POST') return send(405, 'Ask with POST.\n');
    const body = await bodyOf(request);
    const asked = body === null ? null : parseAddCheckpoint(body);
    if (body === null || !asked) return send(400, 'The request is none that c2sp.org/tlog-witness describes.\n');
    const { decision, line } = await state.cosign(
      asked,
      body.slice(body.indexOf('\n\n') + 2),
      signer,
      Math.floor(Date.now() / 1000),
    );
    say(`${new Date().toISOString()} ${asked.checkpoint.origin} ${asked.checkpoint.size}: ${decision.status}`);
    if (decision.status === 200) return send(200, line);
    if (decision.status === 409) return send(409, `${decision.size}\n`, 'text/x.tlog.size');
    return send(decision.status, `${decision.why}\n`);
  };
  const server = createServer({ requestTimeout: requestMilliseconds }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      say(`Failed: ${error instanceof Error ? error.message : String(error)}`);
      if (!response.headersSent) response.writeHead(500).end();
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new Refusal(`${listen} cannot be listened on (${codeOf(error)}). Choose another port.`)),
    );
    server.listen(Number(port), host || '127.0.0.1', resolve);
  });
  const { address, port: taken } = server.address() as AddressInfo;
  return {
    address: `http://${address.includes(':') ? `[${address}]` : address}:${taken}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
