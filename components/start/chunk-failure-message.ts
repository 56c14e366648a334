/** Spec §8: what is said when a script of the site could not be loaded although there is a connection. */
export const chunkFailureMessage =
  'Loading chunk failed: Could not load a key JavaScript file. Please refresh the page.';
