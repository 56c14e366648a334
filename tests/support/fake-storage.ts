const listeners = new Map<string, (value: unknown) => void>();

/** What the device of a test keeps. */
export const stored = new Map<string, unknown>();

/** The storage of the browser, all in memory: `jest.mock('@/components/state/storage', …)` puts it in the place of the real one. */
export const fakeStorage = {
  readStored: async (key: string) => stored.get(key),
  readSurely: async (key: string) => ({ value: stored.get(key), isSure: true, isKnown: true }),
  writeStored: async (key: string, value: unknown) => {
    stored.set(key, value);
    listeners.get(key)?.(value);
  },
  leaveBehind: (key: string, value: unknown) => void stored.set(key, value),
  removeStored: async (key: string) => void stored.delete(key),
  watchStored: (key: string, listener: (value: unknown) => void) => void listeners.set(key, listener),
};
