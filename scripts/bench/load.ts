import net from 'node:net';

/** How many whole answers came in how many seconds. */
export type Load = { answers: number; seconds: number };

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

/** One connection that asks again as soon as its answer is whole. It reads no more of an answer than its length, so that the asking costs less than the answering. */
function connect(port: number, request: Buffer, onAnswer: () => void): net.Socket {
  const socket = net.connect(port, '127.0.0.1', () => void socket.write(request));
  let rest = 0;
  let chunked = false;
  let head: Buffer = Buffer.alloc(0);
  const done = () => {
    rest = 0;
    chunked = false;
    onAnswer();
    socket.write(request);
  };
  socket.setNoDelay(true);
  socket.on('data', (data) => {
    if (rest > 0) {
      rest -= data.length;
      if (rest === 0) done();
      return;
    }
    if (chunked) {
      if (data.subarray(-lastChunk.length).equals(lastChunk)) done();
      return;
    }
    head = head.length > 0 ? Buffer.concat([head, data]) : data;
    const end = head.indexOf(headEnd);
    if (end < 0) return;
    const text = head.toString('latin1', 0, end);
    if (!text.startsWith('HTTP/1.1 200')) throw new Error(`The answer was ${text.split('\r\n')[0]}.`);
    const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
    const received = head.length - end - headEnd.length;
    const last = head.subarray(-lastChunk.length);
    head = Buffer.alloc(0);
    if (length === undefined) {
      chunked = true;
      if (last.equals(lastChunk)) done();
      return;
    }
    rest = Number(length) - received;
    if (rest === 0) done();
  });
  return socket;
}

/** Asks a server of this machine for a path over so many connections, each for one answer at a time, for so many seconds. */
export async function load({
  port,
  path,
  connections,
  seconds,
  headers = {},
}: {
  port: number;
  path: string;
  connections: number;
  seconds: number;
  headers?: Readonly<Record<string, string>>;
}): Promise<Load> {
  const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept: text/html\r\naccept-encoding: gzip, deflate, br\r\nuser-agent: bench\r\n${own.join('')}\r\n`,
  );
  let answers = 0;
  const start = performance.now();
  const sockets = Array.from({ length: connections }, () => connect(port, request, () => (answers += 1)));
  const failed = new Promise<never>((_, reject) =>
    sockets.forEach((socket) =>
      socket.on('error', reject).on('close', () => reject(new Error('The server closed a connection.'))),
    ),
  );
  try {
    await Promise.race([new Promise((resolve) => setTimeout(resolve, seconds * 1000)), failed]);
    return { answers, seconds: (performance.now() - start) / 1000 };
  } finally {
    failed.catch(() => undefined);
    for (const socket of sockets) socket.removeAllListeners('data').destroy();
  }
}
