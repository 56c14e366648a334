/** Holds the clock at a moment until the test file ends; call it again to move the clock. Timers stay real: only the present is held. */
export function standAt(moment: Date): void {
  jest.useFakeTimers({
    now: moment,
    doNotFake: [
      'nextTick',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'performance',
      'hrtime',
    ],
  });
}

afterAll(() => void jest.useRealTimers());
