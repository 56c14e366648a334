import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { decidedAt } from '@/lib/platform/moment';
import type { House } from './money-houses';
import type { Order, Told } from './money-kills-instance';

const patienceMilliseconds = 120_000;

/** The clock of the trial, which goes on by itself and is set forward between rounds. */
export const clock = { offset: 0 };
/** The present by the clock of the trial. */
export const present = () => new Date(Date.now() + clock.offset);
/** Does something at the present of the trial. */
export const during = <T>(body: () => Promise<T>) => decidedAt(present, body);

/** A program of the trial: what it is told, and what it tells. */
export class Program {
  readonly wrong: string[] = [];
  private child: ChildProcess | null = null;
  private readonly waiting = new Map<Told['told'], (() => void)[]>();

  constructor(
    private readonly house: House,
    private readonly bought: (accountId: number) => void,
  ) {}

  /** Starts it, and tells it the time. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/trials/money-kills-instance.ts'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...this.house.settings, LOG_LEVEL: 'fatal', DATABASE_POOL: '8' },
    });
    this.child = child;
    // What is written to one that was just killed.
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => void this.hear(JSON.parse(line) as Told));
    await this.until('ready');
    this.tell({ clock: present().getTime() });
  }

  /** Tells it something; one that is gone hears nothing. */
  tell(order: Order): void {
    this.child?.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  /** Waits until it tells so, or is gone. */
  async until(told: Told['told']): Promise<void> {
    const { child } = this;
    if (!child) return;
    const stop = new AbortController();
    const heard = new Promise<void>((resolve) => this.waiting.set(told, [...(this.waiting.get(told) ?? []), resolve]));
    const late = sleep(patienceMilliseconds, undefined, { signal: stop.signal }).then(
      () => this.wrong.push(`An instance was not "${told}" within ${patienceMilliseconds / 1000} s.`),
      () => undefined,
    );
    await Promise.race([
      heard,
      late,
      this.isGone ? null : once(child, 'exit', { signal: stop.signal }).catch(() => null),
    ]);
    stop.abort();
  }

  /** True when it does not run. */
  get isGone(): boolean {
    return !this.child || this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Kills it, if it runs. */
  async kill(): Promise<void> {
    if (this.child && !this.isGone) {
      const gone = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await gone;
    }
    this.waiting.clear();
  }

  private async hear(told: Told): Promise<void> {
    if (told.told === 'pay') {
      await this.house.pay(told.payUrl);
      this.tell({ paid: told.payUrl });
    } else if (told.told === 'bought') this.bought(told.accountId);
    else if (told.told === 'wrong') this.wrong.push(told.message);
    for (const go of this.waiting.get(told.told)?.splice(0) ?? []) go();
  }
}
