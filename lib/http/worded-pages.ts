/** Where the page stands that says that nothing is at an address. */
export const missingPagePath = '/_not-found';

/** Next sends readers without script an empty body with these statuses; these pages have the words. */
export const wordedPages: Partial<Record<number, string>> = {
  404: missingPagePath,
  500: '/~error',
  503: '/~unavailable',
};
