import { collectDefaultMetrics, Gauge, Histogram, type OpenMetricsContentType, Registry } from 'prom-client';
import { singleton } from './singleton';

/** How a request ended, for the metrics: the pattern of its route, not its address, so that there are few of them. */
export type ObservedRequest = {
  method: string;
  route: string;
  status: number;
  seconds: number;
  cache: 'hit' | 'miss' | 'none';
};

const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const metrics = singleton('metrics', () => {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'tipledger_request_seconds',
    help: 'How long requests took to their last byte, by method, route, status and whether the page cache answered.',
    labelNames: ['method', 'route', 'status', 'cache'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return { registry, requests };
});

/** Counts a request that ended. */
export function observeRequest({ method, route, status, seconds, cache }: ObservedRequest): void {
  metrics.requests.observe(
    { method: known.has(method) ? method : 'other', route, status: String(status), cache },
    seconds,
  );
}

/** Adds a figure that is asked for when the metrics are read, each value with its label; one of that name that is there already is replaced. */
export function addGauge(
  name: string,
  help: string,
  label: string | null,
  read: () => ReadonlyMap<string, number>,
): void {
  const { registry } = metrics;
  registry.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    labelNames: label === null ? [] : [label],
    registers: [registry],
    collect() {
      this.reset();
      const values = read();
      // A figure that is not known is left out; a reset gauge without labels would say 0.
      if (values.size === 0 && label === null) this.remove();
      for (const [value, count] of values) {
        if (label === null) this.set(count);
        else this.set({ [label]: value }, count);
      }
    },
  });
}

/** Everything that was counted, in the text of OpenMetrics, with its type of content. */
export async function readMetrics(): Promise<{ type: string; text: string }> {
  const { registry } = metrics;
  return { type: registry.contentType, text: await registry.metrics() };
}
