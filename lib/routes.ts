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
  api: {
    fixture: (reference: string) => `/api/fixture/${reference}`,
    markets: (reference: string, choice: { showAll: boolean; pinnacleOnly: boolean }) =>
      `/api/fixture/${reference}/markets${query({ showAll: String(choice.showAll), pinnacleOnly: String(choice.pinnacleOnly) })}`,
    score: (reference: string) => `/api/fixture/${reference}/score`,
  },
};
