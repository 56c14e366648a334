import { addSink, type SentEvent } from './analytics';
import type { BrowserConfig } from './browser-config';
import { loadThirdParty, onConsent } from './consent';
import { debugLog } from './browser-log';

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/** Spec §7: loads the tag manager where one is configured, once counting is consented to, and hands it every event from then on. */
export function startTags({ scripts: { tags } }: Pick<BrowserConfig, 'scripts'>): void {
  if (!tags) return;
  onConsent('analytics', () => {
    const layer = (window.dataLayer ??= []);
    layer.push({ event: 'gtm.js', 'gtm.start': Date.now() });
    addSink(({ name, ...event }: SentEvent) => layer.push({ event: name, ...event }));
    loadThirdParty(tags, 'analytics').catch((error: unknown) =>
      debugLog('The tag manager could not be loaded.', error),
    );
  });
}
