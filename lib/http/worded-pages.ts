/** Where the page stands that says that nothing is at an address. */
export const missingPagePath = '/_not-found';

/** Spec §2.3: the address of the page that says that something went wrong, which answers as a failed page does. */
export const failedPagePath = '/500';

/** Next sends readers without script an empty body with these statuses; these pages have the words. */
export const wordedPages: Partial<Record<number, string>> = {
  404: missingPagePath,
  500: '/~error',
  503: '/~unavailable',
};
