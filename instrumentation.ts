/** Next calls this once before it serves; the branch keeps the packages out of what is built for its other runtime. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { startTraces } = await import('./lib/platform/traces');
    await startTraces();
  }
}
