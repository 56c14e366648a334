declare const brand: unique symbol;

/** Who is looking. Only the entry makes one; every query and command takes one and decides by it what exists. */
export type Viewer = {
  readonly [brand]: true;
  readonly kind: 'guest';
  /** The country whose bookmaker blocks apply; the default country for a guest. */
  readonly countryId: number;
};

/** Who may make a call: everybody, or the kinds of viewer named. */
export type Access = 'public';
