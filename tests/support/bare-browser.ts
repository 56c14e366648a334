import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

type Message = {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
  sessionId?: string;
};
type Waiting = { resolve: (result: Record<string, unknown>) => void; reject: (error: Error) => void };
type Target = { targetId: string; type: string; subtype?: string };

const patienceMilliseconds = 20_000;

/** A page of the browser: the one that is shown, or one that is prerendered, which is the same page once it is shown. */
export type BarePage = {
  isPrerendered: boolean;
  evaluate: <T>(expression: string) => Promise<T>;
  send: (method: string, params?: object) => Promise<Record<string, unknown>>;
};

/** A Chromium of one tab that is told no more than a reader does: whoever attaches to a page as Playwright does keeps it from prerendering others. */
export class BareBrowser {
  readonly pages: BarePage[] = [];
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'tipledger-browser-'));
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #sent = 0;

  private constructor(program: string) {
    const flags = ['--headless=new', '--no-sandbox', '--no-first-run', '--window-size=1440,900'];
    const own = ['--remote-debugging-pipe', `--user-data-dir=${this.#folder}`, 'about:blank'];
    this.#process = spawn(program, [...flags, ...own], {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    let text = '';
    (this.#process.stdio[4] as Readable).on('data', (bytes: Buffer) => {
      const messages = (text + bytes.toString()).split('\0');
      text = messages.pop() ?? '';
      for (const message of messages) this.#take(JSON.parse(message) as Message);
    });
  }

  static async open(program: string): Promise<BareBrowser> {
    const browser = new BareBrowser(program);
    const { targetInfos } = await browser.#send('Target.getTargets', { filter: [{ type: 'tab' }] });
    const [tab] = targetInfos as Target[];
    const attached = await browser.#send('Target.attachToTarget', { targetId: tab?.targetId, flatten: true });
    const following = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true };
    await browser.#send('Target.setAutoAttach', following, String(attached.sessionId));
    await browser.until(async () => browser.pages.length > 0);
    return browser;
  }

  #take({ id, method, params, result, error }: Message): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id !== undefined) this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result ?? {});
    if (method !== 'Target.attachedToTarget') return;
    const { sessionId, targetInfo } = params as { sessionId: string; targetInfo: Target };
    if (targetInfo.type !== 'page') return;
    const send = (name: string, more: object = {}) => this.#send(name, more, sessionId);
    this.pages.push({
      isPrerendered: targetInfo.subtype === 'prerender',
      send,
      evaluate: async <T>(expression: string) => {
        const answer = await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
        if (answer.exceptionDetails) throw new Error(JSON.stringify(answer.exceptionDetails));
        return (answer.result as { value: T }).value;
      },
    });
  }

  #send(method: string, params: object, sessionId?: string): Promise<Record<string, unknown>> {
    this.#sent += 1;
    const id = this.#sent;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      (this.#process.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /** Waits until something is so. */
  async until(isSo: () => Promise<unknown>): Promise<void> {
    const end = performance.now() + patienceMilliseconds;
    while (!(await isSo())) {
      if (performance.now() > end) throw new Error('It did not become so in time.');
      await wait(50);
    }
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    // With its helpers, which would go on writing into the folder.
    process.kill(-(this.#process.pid ?? 0), 'SIGKILL');
    await ended;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
