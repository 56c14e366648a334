import { openModal } from '../state/modals';

/**
 * Opens the modal that an element of the page names in `data-modal`, with what its other `data-` attributes give; false when it is not for this
 * viewer or lacks something, so that a link goes where it leads.
 */
export function openFromPage({ dataset }: HTMLElement): boolean {
  const { modal, fixture, selection, portfolio, tip, title, redirectTo } = dataset;
  switch (modal) {
    case 'login':
      return openModal('login', redirectTo ? { redirectTo } : { redirectTo: `${location.pathname}${location.search}` });
    case 'notifications':
      return openModal('notifications', {});
    case 'historical odds':
      return Boolean(fixture && Number(selection)) && openModal('historical odds', { fixtureReference: fixture ?? '', selectionId: Number(selection) });
    case 'share tip':
      return Boolean(portfolio && tip && title) && openModal('share tip', { portfolioReference: portfolio ?? '', tipReference: tip ?? '', title: title ?? '' });
    default:
      return false;
  }
}
