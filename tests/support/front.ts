import http from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Dispatch, Handler } from '@/lib/http/capture';
import { SiteHandler } from '@/lib/http/site-handler';

/** A server that stands before `handler` as the program's does before Next; `folder` is where it looks for files. */
export async function startFront(
  handler: Handler,
  folder?: string,
  dispatch?: Dispatch,
): Promise<{ origin: string; front: SiteHandler; end(): Promise<void> }> {
  const own = folder ?? mkdtempSync(path.join(os.tmpdir(), 'tipledger-front-'));
  const front = new SiteHandler(handler, own, { dispatch });
  const server = http.createServer((request, response) => {
    if (!front.answerKept(request, response)) void front.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    front,
    end: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (folder === undefined) rmSync(own, { recursive: true, force: true });
    },
  };
}
