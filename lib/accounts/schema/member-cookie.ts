/** Product §3: the cookie that tells the pages' own scripts that a session cookie, which they cannot read, came with it; it proves nothing. */
export const memberCookieName = 'tipledger_member';

/** What lies in the browser's local storage under this: what of a page its member sees otherwise than guests do, `odds`, `times` or both, which the script before the first paint cannot ask anybody for. */
export const ownFormatsKey = 'tipledger:own-viewing';
