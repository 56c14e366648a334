import http from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Answer, whatIsWrong, whatIsWrongIn } from './checks';
import { Choice } from './choice';
import { type Hostile, hostileRequest, type Supplies } from './hostile';
import { readAddresses, readTargets } from './inputs';
import { descriptorsAfter, descriptorsOf, megabytesKept, spareDescriptors } from './left-behind';
import { readTexts, readValues } from './payloads';
import { sendShape, shapes } from './shapes';

/** By what the program knows a member. */
export type Login = { token: string; cookie: string };

/** A program under siege: its address, its process where it is known, how members sign in, the references of their portfolios, and whether it believes X-Forwarded-For. */
export type Besieged = {
  origin: string;
  siteUrl: string;
  pid: number | null;
  signIn(): Promise<readonly Login[]>;
  references: readonly string[];
  behindProxy: boolean;
};

/** How hard it is besieged: so many requests, chosen by the seed, from so many clients at once. */
export type Plan = {
  requests: number;
  seed: number;
  clients: number;
  hangMilliseconds: number;
  onProgress?: (sent: number) => void;
  /** Told at once of each thing that did not stand firm. */
  onWrong?: (what: string) => void;
};

/** What came of it. */
export type Outcome = {
  sent: number;
  statuses: Record<string, number>;
  slowest: { milliseconds: number; label: string };
  busy: number;
  wrong: string[];
  descriptors: [before: number, after: number] | null;
  megabytes: [warm: number, after: number] | null;
};

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };
const longest = 8 * 1024 * 1024;
const patience = 15_000;

function send(origin: URL, agent: http.Agent, { method, path, headers, body }: Hostile): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const own = Object.fromEntries(
      headers.map(([name, value]) => [name, value.replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ')]),
    );
    const request = http.request(
      {
        host: origin.hostname,
        port: origin.port,
        method,
        path,
        agent,
        headers: { ...own, ...(body && { 'content-length': String(body.length) }) },
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        const give = () => {
          const bytes = Buffer.concat(chunks);
          const decode = decoders[response.headers['content-encoding'] ?? ''];
          let text = bytes.toString('utf8');
          try {
            if (decode && bytes.length > 0) text = decode(bytes).toString('utf8');
          } catch {
            // A long answer was cut off.
          }
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            milliseconds: performance.now() - began,
          });
        };
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          const goesOn = String(response.headers['content-type']).startsWith('text/event-stream');
          if (goesOn || size > longest) request.destroy();
        });
        response.on('close', give).on('error', () => undefined);
      },
    );
    request.setTimeout(patience, () => request.destroy(new Error(`no answer in ${patience} ms`)));
    request.on('error', reject).end(body ?? undefined);
  });
}

// A connection that the server let go of for a request before, or because of this one.
const isLetGo = (error: unknown) =>
  ['ECONNRESET', 'EPIPE', 'HPE_INVALID_CONSTANT', 'HPE_CLOSED_CONNECTION'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );

// Tokens hold for ten minutes, unless a request among all these ends their login.
const renewMilliseconds = 60_000;
const shapesIn100 = 6;
const mostShapes = 100;
const warmShare = 0.3;
const mostGrown = 200;

/** Sends hostile requests to a program, and judges each answer and what is left in the program at the end. */
export async function besiege(
  { origin: address, siteUrl, pid, signIn, references, behindProxy }: Besieged,
  { requests, seed, clients, hangMilliseconds, onProgress, onWrong }: Plan,
): Promise<Outcome> {
  const origin = new URL(address);
  const [{ pages, calls }, addresses] = await Promise.all([readTargets(address), readAddresses(address)]);
  const supplies: Supplies = {
    texts: readTexts(seed),
    values: readValues(seed),
    addresses,
    references,
    logins: await signIn(),
    behindProxy,
  };
  const hosts = new Set([origin.host, new URL(siteUrl).host, 'localhost']);
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
  const outcome: Outcome = {
    sent: 0,
    statuses: {},
    slowest: { milliseconds: 0, label: '' },
    busy: 0,
    wrong: [],
    descriptors: null,
    megabytes: null,
  };
  const noteWrong = (what: string) => {
    outcome.wrong.push(what);
    onWrong?.(what);
  };
  const before = pid === null ? 0 : descriptorsOf(pid);
  let [isWarm, warm] = [false, 0];

  // Some are held until the server lets go of them, which takes seconds: no client waits for that.
  const shaping = new Set<Promise<void>>();
  const shapeOf = async (index: number, choice: Choice): Promise<void> => {
    const { text, isOver, label } = await sendShape(Number(origin.port), choice.of(shapes), choice);
    const wrong = whatIsWrongIn(text, isOver);
    if (wrong !== null) noteWrong(`#${index} ${label}: ${wrong}`);
  };

  const one = async (index: number): Promise<void> => {
    const choice = new Choice(seed * 2_654_435_761 + index);
    if (choice.in100(shapesIn100)) {
      if (shaping.size >= mostShapes) await Promise.race(shaping);
      const shaped = shapeOf(index, choice).finally(() => shaping.delete(shaped));
      shaping.add(shaped);
      return;
    }
    const hostile = hostileRequest(choice, supplies, choice.in100(40) ? choice.of(pages) : choice.of(calls));
    try {
      const answer = await send(origin, agent, hostile);
      outcome.statuses[answer.status] = (outcome.statuses[answer.status] ?? 0) + 1;
      if (answer.status === 503) outcome.busy += 1;
      if (answer.milliseconds > outcome.slowest.milliseconds)
        outcome.slowest = { milliseconds: Math.round(answer.milliseconds), label: hostile.label };
      const wrong = whatIsWrong(answer, { hosts, hangMilliseconds });
      if (wrong !== null)
        noteWrong(`#${index} ${hostile.label}: ${wrong} (${hostile.method} ${hostile.path.slice(0, 200)})`);
    } catch (error) {
      if (isLetGo(error)) outcome.statuses.closed = (outcome.statuses.closed ?? 0) + 1;
      else
        noteWrong(
          `#${index} ${hostile.label}: ${(error as Error).message} (${hostile.method} ${hostile.path.slice(0, 200)})`,
        );
    }
  };

  let next = 0;
  let signedInAt = performance.now();
  const client = async () => {
    for (let index = next++; index < requests; index = next++) {
      await one(index);
      outcome.sent += 1;
      if (pid !== null && !isWarm && outcome.sent > requests * warmShare) {
        isWarm = true;
        warm = await megabytesKept(pid);
      }
      if (outcome.sent % 1_000 === 0) onProgress?.(outcome.sent);
      if (performance.now() - signedInAt > renewMilliseconds) {
        signedInAt = performance.now();
        supplies.logins = await signIn();
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, client));
    await Promise.all(shaping);
  } finally {
    agent.destroy();
  }
  if (pid !== null) {
    outcome.descriptors = [before, await descriptorsAfter(pid, before)];
    outcome.megabytes = [warm, await megabytesKept(pid)];
    if (outcome.descriptors[1] > before + spareDescriptors)
      noteWrong(`${outcome.descriptors[1] - before} descriptors did not come back.`);
    if (outcome.megabytes[1] > warm + mostGrown) noteWrong(`${outcome.megabytes[1] - warm} MB did not come back.`);
  }
  const health = await fetch(`${address}/healthz`);
  if (health.status !== 200) noteWrong(`/healthz answered ${health.status} afterwards.`);
  return outcome;
}
