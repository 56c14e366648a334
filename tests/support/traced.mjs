import { createRequire } from 'node:module';
import path from 'node:path';
import { register } from 'tsx/esm/api';

// A program of its own: what loads modules at need does not in the one of the tests.
register({ tsconfig: path.resolve('tsconfig.program.json') });
const { startTraces, stopTraces } = await import('../../lib/platform/traces.ts');
await startTraces();
const loaded = Object.hasOwn(globalThis, Symbol.for('opentelemetry.js.api.1'));
const { trace } = createRequire(import.meta.url)('@opentelemetry/api');
trace.getTracer('next.js').startSpan('GET /tips').end();
const began = performance.now();
await stopTraces();
process.stdout.write(JSON.stringify({ loaded, milliseconds: performance.now() - began }), () => process.exit(0));
