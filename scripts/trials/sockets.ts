import net from 'node:net';
import { type Benchmark, inWords, readWholeNumbers, say } from '../bench/benchmark';
import { onBenchDatabase } from '../bench/database';
import { type Server, startProgram } from '../bench/servers';
import { Choice } from '../siege/choice';
import { collected, descriptorsAfter, descriptorsOf, megabytesKept, spareDescriptors } from '../siege/left-behind';
import { sendShape, shapes } from '../siege/shapes';

type Count = { count: number };
type Row = {
  label: string;
  sent: number;
  unended: number;
  descriptors: [before: number, most: number, after: number];
  megabytes: [before: number, after: number];
};

const atOnce = 100;
const mostGrown = 150;
const patience = 40_000;
const warmUps = 1_000;

/** Opens so many connections at once that say nothing more than this, and gives how many the program had not ended in time. */
async function idle(port: number, count: number, said: string): Promise<number> {
  const ended = Array.from(
    { length: count },
    () =>
      new Promise<boolean>((resolve) => {
        const socket = net.connect(port, '127.0.0.1', () => said !== '' && socket.write(said));
        const timer = setTimeout(() => {
          socket.destroy();
          resolve(false);
        }, patience);
        socket
          .on('data', () => undefined)
          .on('error', () => undefined)
          .on('close', () => {
            clearTimeout(timer);
            resolve(true);
          });
      }),
  );
  return (await Promise.all(ended)).filter((isOver) => !isOver).length;
}

async function inTurn(count: number, work: (index: number) => Promise<boolean>): Promise<number> {
  let next = 0;
  let unended = 0;
  const client = async () => {
    for (let index = next++; index < count; index = next++) if (!(await work(index))) unended += 1;
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return unended;
}

async function measure(server: Server, label: string, count: number, work: () => Promise<number>): Promise<Row> {
  say(`${label}…`);
  const [before, megabytes] = [descriptorsOf(server.pid), await megabytesKept(server.pid)];
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, descriptorsOf(server.pid))), 200);
  const unended = await work().finally(() => clearInterval(watch));
  return {
    label,
    sent: count,
    unended,
    descriptors: [before, most, await descriptorsAfter(server.pid, before)],
    megabytes: [megabytes, await megabytesKept(server.pid)],
  };
}

const lines = ({ label, sent, unended, descriptors, megabytes }: Row) =>
  `${label}: ${inWords(sent)} sent, ${unended} not ended, descriptors ${descriptors.join(' → ')}, memory ${megabytes.join(' → ')} MB`;

async function run(args: string[]): Promise<number> {
  const { count }: Count = readWholeNumbers(args, { count: { least: 1, most: 1_000_000, fallback: 10_000 } });
  return onBenchDatabase(async () => {
    const server = await startProgram(collected);
    try {
      const rows: Row[] = [];
      // Whatever is made once is there before the first count, and the heap has grown to what such a load needs.
      for (const shape of shapes)
        await inTurn(warmUps, async (index) => (await sendShape(server.port, shape, new Choice(index))).isOver);
      const before = await megabytesKept(server.pid);
      for (const shape of shapes)
        rows.push(
          await measure(server, shape.label, count, () =>
            inTurn(count, async (index) => (await sendShape(server.port, shape, new Choice(index))).isOver),
          ),
        );
      const most = Math.min(count, 5_000);
      for (const [label, said] of [
        ['connections that say nothing', ''],
        ['connections that begin a request', 'GET / HTTP/1.1\r\nhost: x\r\n'],
        ['connections kept after their answer', 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'],
      ] as const) {
        rows.push(await measure(server, label, most, () => idle(server.port, most, said)));
      }
      for (const row of rows) process.stdout.write(`${lines(row)}\n`);
      const after = await megabytesKept(server.pid);
      process.stdout.write(`Memory at rest: ${before} → ${after} MB\n`);
      const isHeld =
        rows.some(({ unended, descriptors: [least, , left] }) => unended > 0 || left > least + spareDescriptors) ||
        after > before + mostGrown;
      process.stdout.write(isHeld ? 'Something did not come back.\n' : 'All of it came back.\n');
      return isHeld ? 1 : 0;
    } finally {
      await server.end();
    }
  });
}

/** Issue 14: so many connections of every shape, after which the program holds no more descriptors and memory than before. */
export const sockets: Benchmark = {
  name: 'sockets',
  title: 'connections of every shape, and what they leave behind (needs a build)',
  options: ['--count N  connections of each shape (10,000)'],
  run,
};
