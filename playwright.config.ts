import { defineConfig, devices } from '@playwright/test';
import { launchOptions } from './tests/support/chromium';

// These start programs of their own and wait for them more than they reckon: one at a time, beside the pages.
const programs = ['program', 'trials', 'package', 'front-door', 'served', 'staff-season', 'changed-cards'].map(
  (name) => `**/${name}.test.ts`,
);

export default defineConfig({
  testDir: 'tests/e2e',
  projects: [
    { name: 'programs', testMatch: programs, workers: 1 },
    { name: 'pages', testMatch: '**/*.test.ts', testIgnore: programs },
  ],
  globalSetup: './tests/support/site-setup.ts',
  fullyParallel: true,
  workers: 3,
  // Two cores and a busy machine: a test that only passes the second time is named flaky in the report.
  retries: process.env.CI ? 1 : 0,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    // An action or a page that waits for ever ends its test without a word of which it was.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    // Each test is a new browser, in which the worker fetches the files of the site once more: a third of the work of a test. Those that are
    // about it, and the journeys, allow it.
    serviceWorkers: 'block',
    launchOptions,
  },
});
