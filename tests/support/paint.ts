import { beforePaint } from '@/lib/http/own-scripts';

/** Does what a page does before its first paint. */
export function runBeforePaint(): void {
  // The timers of a test have a clock of their own, which lacks it.
  Object.assign(performance, { getEntriesByType: () => [{ type: 'navigate' }] });
  const script = document.createElement('script');
  // A page has it once.
  script.textContent = `{${beforePaint}}`;
  document.body.append(script);
}
