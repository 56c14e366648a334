// A machine under load is slow, not wrong: a limit is there to end a test that hangs, and what such a machine delays is tried once more, with
// the first error in the log.
jest.setTimeout(120_000);
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
