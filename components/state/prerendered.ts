/** Whether the page is being made ahead of a visit that may never come: it does nothing by itself until it is shown. */
export const isPrerendered = (): boolean => 'prerendering' in document && document.prerendering === true;

const navigation = () => (performance.getEntriesByType?.('navigation') ?? [])[0];

/** How many milliseconds after its navigation began a page that was prerendered is shown; 0 for any other. */
export function shownAfter(): number {
  const entry = navigation();
  return entry && 'activationStart' in entry ? Number(entry.activationStart) : 0;
}

/** Whether the page came before its visit, prerendered or only fetched. */
export function wasFetchedAhead(): boolean {
  const entry = navigation();
  return (entry && 'deliveryType' in entry && entry.deliveryType === 'navigational-prefetch') || shownAfter() > 0;
}
