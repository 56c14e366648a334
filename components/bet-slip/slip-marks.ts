/** What a slip needs to know of a fixture. */
type MarkedFixture = { reference: string; name: string; sportReference: string; startsAt: string };

/** Marks the part of a page whose prices are of a fixture. */
export const fixtureMark = ({ reference, name, sportReference, startsAt }: MarkedFixture) => ({
  'data-slip-fixture': JSON.stringify([reference, name, sportReference, startsAt]),
});

/** Marks the part of a page whose prices are of a market. */
export const marketMark = (name: string) => ({ 'data-slip-market': name });

/** Marks the part of a page whose prices are of a selection. */
export const selectionMark = (name: string) => ({ 'data-slip-selection': name });
