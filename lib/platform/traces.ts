import { env } from './env';
import { singleton } from './singleton';

const running = singleton('traces', () => ({ stop: async (): Promise<void> => undefined, started: false }));

/** Sends the spans of Next to the collector of OTEL_EXPORTER_OTLP_ENDPOINT from now on; loads nothing without it. */
export async function startTraces(): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: service } = env();
  if (endpoint === undefined || running.started) return;
  running.started = true;
  const [
    { context, propagation, trace },
    { AsyncLocalStorageContextManager },
    { W3CTraceContextPropagator },
    { OTLPTraceExporter },
    { resourceFromAttributes },
    { BasicTracerProvider, BatchSpanProcessor },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis: 5_000 });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  running.stop = () => provider.shutdown();
}

/** Sends what waits, for five seconds at most, and ends. */
export async function stopTraces(): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, 5_000)));
  await Promise.race([running.stop().catch(() => undefined), patience]);
  clearTimeout(timer);
}
