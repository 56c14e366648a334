import { forget, recall, remember } from './tab-storage';

const key = 'tipledger:visits';
/** Ours (0066): more pages than these are rarely read before the worker is there. */
const most = 10;

function read(): readonly string[] {
  const text = recall(key);
  const visits: unknown = text === null ? [] : JSON.parse(text);
  return Array.isArray(visits) ? visits.filter((visit) => typeof visit === 'string') : [];
}

/** Notes a page that is read while there is no worker yet that would keep it. */
export function noteVisit(address: string): void {
  if (!('serviceWorker' in navigator) || navigator.serviceWorker.controller) return;
  remember(key, JSON.stringify([...read().filter((visit) => visit !== address), address].slice(-most)));
}

/** The pages that were read before there was a worker, once. */
export function takeVisits(): readonly string[] {
  const visits = read();
  forget(key);
  return visits;
}
