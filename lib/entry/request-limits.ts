/**
 * Ours (0042): how long a connection may take over its headers, over a whole request and between two, in milliseconds; the server ends slower
 * ones, whatever they ask for. An answer may take as long as it likes.
 */
export const requestLimits = { headersTimeout: 10_000, requestTimeout: 40_000, keepAliveTimeout: 10_000, connectionsCheckingInterval: 2_000 } as const;
