import { env } from '@/lib/platform/env';

/** Asks the program of this machine whether it lives, as the health check of a container; returns the exit code: 0 when it answers within four seconds. */
export async function main(): Promise<number> {
  const { HOST, PORT } = env();
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
  try {
    const response = await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${PORT}/healthz`, {
      signal: AbortSignal.timeout(4_000),
    });
    return response.ok ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
