/**
 * Ours (0042, 0049): how long a connection may take over its headers, over a whole request and between two, and how long it may stand still
 * meanwhile, in milliseconds; the server ends slower ones, whatever they ask for. An answer that is read may take as long as it likes.
 */
export const requestLimits = {
  headersTimeout: 10_000,
  requestTimeout: 40_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
} as const;

/** Ours (0049): after how long without a byte either way a connection ends, how many there are at most, and how many requests of one wait for their answers. */
export const connectionLimits = { stillMilliseconds: 60_000, connections: 10_000, waiting: 64 } as const;
