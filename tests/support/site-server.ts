import http from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Dispatch, Handler } from '@/lib/http/capture';
import { SiteHandler } from '@/lib/http/site-handler';

/** A server that stands before `handler` as the program's does before Next; `folder` is where it looks for files. */
export async function startServer(
  handler: Handler,
  folder?: string,
  dispatch?: Dispatch,
): Promise<{ origin: string; siteHandler: SiteHandler; end(): Promise<void> }> {
  const own = folder ?? mkdtempSync(path.join(os.tmpdir(), 'tipledger-site-'));
  const siteHandler = new SiteHandler(handler, own, { dispatch });
  const server = http.createServer((request, response) => {
    if (!siteHandler.answerKept(request, response)) void siteHandler.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    siteHandler,
    end: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (folder === undefined) rmSync(own, { recursive: true, force: true });
    },
  };
}
