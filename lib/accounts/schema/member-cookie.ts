/** Product §3: the cookie that tells the pages' own scripts that a session cookie, which they cannot read, came with it; it proves nothing. */
export const memberCookieName = 'tipledger_member';
