/** What the program tells every browser: addresses of third-party scripts (null: none), and how long things are kept there. */
export type BrowserConfig = {
  scripts: { ads: string | null; adQuality: string | null; tags: string | null; affiliate: string | null };
  affiliateDays: number;
  consentDays: number;
  /** True when what is only debug-logged is wanted too. */
  debug: boolean;
};

/** What names the element of the page that holds the configuration, as JSON. */
export const browserConfigId = 'browser-config';

/** The configuration that the page came with. */
export function readConfig(): BrowserConfig {
  return JSON.parse(document.getElementById(browserConfigId)?.textContent ?? '') as BrowserConfig;
}
