import nextJest from 'next/jest.js';

const withNext = nextJest({ dir: import.meta.dirname });
const paths = {
  '^@/(.*)$': '<rootDir>/$1',
  '^server-only$': '<rootDir>/node_modules/server-only/empty.js',
  // Their entry is a module of a kind that Jest cannot require.
  '^(d3-[a-z-]+)$': '<rootDir>/node_modules/$1/dist/$1.js',
};

const project = (name, extra = {}) =>
  withNext({
    displayName: name,
    testEnvironment: 'node',
    runtime: '<rootDir>/tests/support/cached-runtime.cjs',
    testMatch: [`<rootDir>/tests/${name}/**/*.test.{ts,tsx}`],
    modulePathIgnorePatterns: ['<rootDir>/.next', '<rootDir>/.data'],
    moduleNameMapper: paths,
    ...extra,
    setupFilesAfterEnv: [
      '<rootDir>/tests/support/time-limit.ts',
      '<rootDir>/tests/support/own-scopes.ts',
      ...(extra.setupFilesAfterEnv ?? []),
    ],
  })();

const onDatabase = {
  globalSetup: '<rootDir>/tests/support/database-setup.mjs',
  globalTeardown: '<rootDir>/tests/support/database-teardown.mjs',
};

const config = async () => ({
  testSequencer: '<rootDir>/tests/support/long-first.mjs',
  projects: [
    await project('unit'),
    await project('domain', onDatabase),
    await project('api', onDatabase),
    await project('component', { testEnvironment: 'jsdom', setupFilesAfterEnv: ['<rootDir>/tests/support/dom.ts'] }),
  ],
});

export default config;
