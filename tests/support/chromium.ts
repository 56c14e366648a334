import type { LaunchOptions } from '@playwright/test';

// npm test finds or installs both and names them; without a name Playwright looks for its own.
const { CHROMIUM_PATH: whole, CHROMIUM_SHELL_PATH: shell } = process.env;

/** How the browser of the tests is started: without the parts of a window where there is such a one. */
export const launchOptions: LaunchOptions = {
  executablePath: shell || whole || undefined,
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
};

/** The same for a whole browser, which shows notifications. */
export const wholeBrowser: LaunchOptions = {
  ...launchOptions,
  ...(whole ? { executablePath: whole } : { executablePath: undefined, channel: 'chromium' }),
};
