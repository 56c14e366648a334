const query = (parameters: Record<string, string | number | undefined>): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]]));
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
};

/** Every address of the site and its API; nothing else spells a URL. */
export const routes = {
  home: () => '/',
  sport: (reference: string, choice: { league?: string | undefined; days?: number | undefined; before?: string | undefined } = {}) => `/${reference}${query(choice)}`,
  fixtures: () => '/fixture',
  fixture: (reference: string, choice: { odds?: string | undefined } = {}) => `/fixture/${reference}${query(choice)}`,
  tipsters: (filter: Record<string, string | number | undefined> = {}) => `/tipster${query(filter)}`,
  portfolio: (reference: string, choice: { period?: number | undefined } = {}) => `/tipster/${reference}${query(choice)}`,
  portfolioPage: (reference: string, page: 'stats' | 'results' | 'tips' | 'posts', choice: { period?: number | undefined; skip?: number | undefined } = {}) =>
    `/tipster/${reference}/${page}${query(choice)}`,
  tip: (portfolioReference: string, reference: string) => `/tipster/${portfolioReference}/tips/${reference}`,
  post: (portfolioReference: string, reference: string) => `/tipster/${portfolioReference}/posts/${reference}`,
  ledger: (choice: { tip?: string | undefined } = {}) => `/ledger${query(choice)}`,
  portfolioLedger: (reference: string, choice: { format?: string | undefined } = {}) => `/portfolio/${reference}/ledger${query(choice)}`,
  api: {
    ledger: (call: string) => `/api/ledger/${call}`,
    ledgerTip: (reference: string) => `/api/ledger/tip/${reference}`,
    ledgerExport: (format: string) => `/api/ledger/export${query({ format })}`,
    fixture: (reference: string) => `/api/fixture/${reference}`,
    markets: (reference: string, choice: { showAll: boolean; pinnacleOnly: boolean }) =>
      `/api/fixture/${reference}/markets${query({ showAll: String(choice.showAll), pinnacleOnly: String(choice.pinnacleOnly) })}`,
    score: (reference: string) => `/api/fixture/${reference}/score`,
  },
};
