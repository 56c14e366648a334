/** Runs `body` as the program runs in another environment, and comes back whatever happens. */
export async function inEnvironment(name: 'production' | 'development' | 'test', body: () => Promise<void>): Promise<void> {
  const replaced = jest.replaceProperty(process.env, 'NODE_ENV', name);
  try {
    await body();
  } finally {
    replaced.restore();
  }
}
