/** Runs `body` with variables of the environment changed, such as NODE_ENV, and puts back what was there whatever happens. */
export async function inEnvironment(change: Record<string, string>, body: () => Promise<void>): Promise<void> {
  const before = { ...process.env };
  Object.assign(process.env, change);
  try {
    await body();
  } finally {
    for (const name of Object.keys(change)) {
      if (before[name] === undefined) delete process.env[name];
      else Object.assign(process.env, { [name]: before[name] });
    }
  }
}
