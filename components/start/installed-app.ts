import { watchChunkFailures } from './chunk-failure';
import { watchConnection } from '../state/connection';
import { startEditQueue } from '../state/edit-queue';
import { removeWorkers, startServiceWorker } from '../state/service-worker';
import { checkVersion, ownVersion, startVersionChecks } from '../state/version';
import { restorePlace } from '../state/version-refresh';

let isStarted = false;

/** Spec §2.1: true when the site runs as an app of its own rather than in a browser's tab. */
export function isInstalledApp(): boolean {
  return (
    matchMedia('(display-mode: standalone)').matches || ('standalone' in navigator && navigator.standalone === true)
  );
}

/** Starts what makes the site an app: its worker, its version, its connection, its queue of edits, and the alert when a part of it is missing. Once. */
export function startInstalledApp(): void {
  if (isStarted) return;
  isStarted = true;
  restorePlace();
  watchConnection();
  watchChunkFailures(() => void checkVersion());
  startVersionChecks();
  startEditQueue();
  if (ownVersion === null) void removeWorkers();
  else startServiceWorker(() => void checkVersion());
}
