import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { rawRefusal, refuse } from './refusal';
import { connectionLimits, requestLimits } from './request-limits';

type ReadError = Error & { code?: string; rawPacket?: Buffer };

const unread: Readonly<Record<string, [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large. Send fewer.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The extensions of a chunk are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'The request was not here in time. Send it again, on a faster connection if you can.',
  ],
};

/** Tells a client whose request could not be read why, and ends the connection. */
function refuseUnread(error: ReadError, socket: Socket): void {
  // What another request of the connection is being answered with must not be cut into.
  const isUnderWay = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage?.headersSent ?? false;
  if (error.code === 'ECONNRESET' || !socket.writable || isUnderWay) {
    socket.destroy();
    return;
  }
  const [status, message] = unread[error.code ?? ''] ?? [400, 'The request cannot be read.'];
  endWith(socket, rawRefusal(status, message));
}

// A client that does not take the refusal, or does not let go, is let go of.
const partingMilliseconds = 1_000;

function endWith(socket: Socket, text: string): void {
  socket.on('error', () => undefined);
  socket.end(text, () => socket.destroySoon());
  setTimeout(() => socket.destroy(), partingMilliseconds).unref();
}

/** How many connections there may be: as many as the limit says, and no more than leave a quarter of the descriptors to files and the database. */
function mostConnections(): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return soft === undefined
      ? connectionLimits.connections
      : Math.min(connectionLimits.connections, Math.floor((Number(soft) * 3) / 4));
  } catch {
    return connectionLimits.connections;
  }
}

const waiting = Symbol('waiting');
type SharedSocket = Socket & { [waiting]?: number };

/** A listener that lets go of a connection of which too many requests, sent one behind the other, wait for their answers, and refuses those that name no host, as HTTP/1.1 has it. */
export function boundedPipeline(listener: RequestListener): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    const socket: SharedSocket = request.socket;
    const count = (socket[waiting] ?? 0) + 1;
    socket[waiting] = count;
    response.on('close', () => void (socket[waiting] = (socket[waiting] ?? 1) - 1));
    if (count > connectionLimits.waiting) socket.destroy();
    else if (request.headers.host === undefined && request.httpVersion === '1.1')
      refuse(response, 400, 'The request names no host.', { more: [['connection', 'close']] });
    else listener(request, response);
  };
}

type Arrived = { response: ServerResponse; answerKept: () => boolean; answer: () => void };

const arrived: Arrived[] = [];

function answerArrived(): void {
  for (const { response, answerKept, answer } of arrived.splice(0)) {
    if (response.destroyed || answerKept()) continue;
    setImmediate(() => {
      if (!response.destroyed) answer();
    });
  }
}

/**
 * Answers a request once all requests that came with it are read: by `answerKept` in one go with the others, since to wake the client that waits for each
 * takes longer than to send a kept answer, or, where that returns false with nothing sent, by `answer` in a turn of its own, so that what it leaves to do at
 * once is done before the next.
 */
export function answerOnceRead(request: Arrived): void {
  if (arrived.push(request) === 1) setImmediate(answerArrived);
}

/** A server that lets go of every connection that is slow, still, unreadable or asks for what no server of pages has, such as a tunnel. */
export function openServer(): Server {
  const server = createServer({ ...requestLimits, requireHostHeader: false });
  server.maxConnections = mostConnections();
  server.timeout = connectionLimits.stillMilliseconds;
  server.on('clientError', refuseUnread);
  server.on('connect', (_, socket) =>
    endWith(socket as Socket, rawRefusal(405, 'This is no proxy.', [['allow', 'GET, HEAD']])),
  );
  server.on('checkExpectation', (_, response: ServerResponse) =>
    refuse(response, 417, 'The only expectation that is met is 100-continue.', { more: [['connection', 'close']] }),
  );
  return server;
}
