import { callAddress } from '@/lib/calls';
import type { AnalyticsDimension, Breakpoint } from '@/lib/reference/schema';
import { ownVersion } from './version';
import { viewerNow } from './viewer';

/** Something that happened: a name such as 'click', what it happened to, and a number where there is one. */
export type AnalyticsEvent = { name: string; label?: string; value?: number; debug?: boolean };

/** An event as it is sent: spec §3's dimensions beside it. */
export type SentEvent = { name: string; label: string | null; value: number | null; debug: boolean } & Record<
  AnalyticsDimension,
  string | null
>;

type Sink = (event: SentEvent) => void;

/** Ours: how many events go out at once, how many wait at most while there is no connection, and how long the first of them waits. */
export const batchSize = 20;
const mostWaiting = 200;
const patienceMilliseconds = 10_000;
const longestLabel = 200;
const address = callAddress('POST /events');

// Spelt out, since the enumeration would bring its validation library to every visitor.
export const breakpointWidths: readonly (readonly [Breakpoint['name'], number])[] = [
  ['2xs', 23],
  ['xs', 30],
  ['sm', 40],
  ['md', 48],
  ['lg', 64],
  ['xl', 80],
  ['2xl', 96],
  ['3xl', 104],
  ['4xl', 112],
  ['5xl', 120],
];

const waiting: SentEvent[] = [];
const sinks = new Set<Sink>();
let timer: ReturnType<typeof setTimeout> | undefined;
let maySayWho = false;

/** True when the browser asks not to be tracked: then nothing is counted, and errors are told without anything else. */
export function asksNotToBeTracked(): boolean {
  const { doNotTrack } = navigator;
  return (
    doNotTrack === '1' ||
    doNotTrack === 'yes' ||
    ('globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true)
  );
}

/** Counts something, unless the visitor asks not to be tracked. */
export function track(event: AnalyticsEvent): void {
  if (!asksNotToBeTracked()) send(event);
}

/** Tells of something that went wrong, whoever it happened to. */
export function report(event: AnalyticsEvent): void {
  send(event);
}

/** Sends the events on to somebody else too, once the visitor has consented to it; until then the dimensions that name a person stay empty. */
export function addSink(sink: Sink): void {
  sinks.add(sink);
}

/** Whether the visitor has consented to being recognised in what is counted. */
export function setIdentityConsent(isGiven: boolean): void {
  maySayWho = isGiven;
}

/** The text of an event on one line, as the log takes it, without addresses, numbers and queries that could be somebody's own. */
export function withoutPersonalData(text: string): string {
  return text
    .replace(/(?!\s)[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replace(/\s+/g, ' ')
    .replace(/[^\s@]+@[^\s@]+/g, '[e-mail]')
    .replace(/\?[^\s]*/g, '')
    .replace(/\d{6,}/g, '[number]')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{20,}/gi, '[guid]')
    .slice(0, longestLabel)
    .replace(/\p{Cs}$/u, '');
}

function breakpoint(): string | null {
  const rem = window.innerWidth / 16;
  return breakpointWidths.findLast(([, width]) => rem >= width)?.[0] ?? null;
}

function referrer(): string | null {
  if (!document.referrer) return null;
  const { origin, pathname } = new URL(document.referrer);
  return origin === location.origin ? withoutPersonalData(pathname) : origin;
}

function dimensions(): Record<AnalyticsDimension, string | null> {
  const timestamp = new Date().toISOString();
  if (asksNotToBeTracked())
    return {
      user_id: null,
      organisation_id: null,
      active_portfolio: null,
      timestamp,
      referrer: null,
      breakpoint: null,
      version: null,
      page_url: null,
    };
  const viewer = viewerNow();
  const who = maySayWho && viewer.kind === 'member' ? viewer : null;
  return {
    user_id: who?.user.username ?? null,
    organisation_id: null,
    active_portfolio: who?.currentPortfolio ?? null,
    timestamp,
    referrer: referrer(),
    breakpoint: breakpoint(),
    version: ownVersion,
    page_url: withoutPersonalData(location.pathname),
  };
}

function send({ name, label, value, debug = false }: AnalyticsEvent): void {
  const event: SentEvent = {
    name,
    label: label === undefined ? null : withoutPersonalData(label),
    value: value === undefined || !Number.isFinite(value) ? null : value,
    debug,
    ...dimensions(),
  };
  for (const sink of sinks) sink(event);
  waiting.push(event);
  if (waiting.length > mostWaiting) waiting.shift();
  if (waiting.length >= batchSize) flush();
  else timer ??= setTimeout(flush, patienceMilliseconds);
}

/** Sends what waits, by a beacon, which outlives the page; what cannot go out waits for the next time. */
export function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  while (waiting.length > 0 && navigator.onLine) {
    const batch = waiting.slice(0, batchSize);
    if (!navigator.sendBeacon(address, new Blob([JSON.stringify({ events: batch })], { type: 'application/json' })))
      return;
    waiting.splice(0, batch.length);
  }
}
