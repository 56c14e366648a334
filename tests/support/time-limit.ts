// A machine under load is slow, not wrong: a limit is there to end a test that hangs.
jest.setTimeout(120_000);
