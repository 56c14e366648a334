/** Every timer stays real; only what the program takes for the present is held. */
const stayReal = [
  ...['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  ...['performance', 'hrtime'],
] as NonNullable<Parameters<typeof jest.useFakeTimers>[0]>['doNotFake'];

/** Holds the clock at a moment until the test file ends; call it again to move the clock. */
export function standAt(moment: Date): void {
  jest.useFakeTimers({ now: moment, doNotFake: stayReal });
}

afterAll(() => void jest.useRealTimers());
