import { defineConfig, devices } from '@playwright/test';

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.test.ts',
  globalSetup: './tests/support/site-setup.ts',
  fullyParallel: true,
  workers: 2,
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
    launchOptions: {
      // npm test finds or installs a browser and names it; without the name Playwright looks for its own.
      executablePath: process.env.CHROMIUM_PATH || undefined,
      // With a new document in the place of the old one, a reloaded page would not know that the test has cut its connection. Chromium would ask
      // its maker about the fields of forms.
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-dev-shm-usage',
        '--disable-features=RenderDocument,AutofillServerCommunication',
      ],
    },
  },
});
