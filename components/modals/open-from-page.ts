import { openModal } from '../state/modals';

/**
 * Opens the modal that an element of the page names in `data-modal`, with what its other `data-` attributes give; false when it is not for this
 * viewer or lacks something, so that a link goes where it leads.
 */
export function openFromPage(element: HTMLElement): boolean {
  const { dataset } = element;
  const { modal, fixture, selection, taken, takenAt, bookmaker, portfolio, tip, title, image, redirectTo } = dataset;
  switch (modal) {
    case 'login':
      return openModal('login', redirectTo ? { redirectTo } : { redirectTo: `${location.pathname}${location.search}` });
    case 'bet slip':
      if (!dataset.slip && !dataset.slipTip) return openModal('bet slip', {});
      void import('../bet-slip/slip-from-page').then(({ toggleFromPage, addTipFromPage }) =>
        dataset.slipTip ? addTipFromPage(dataset.slipTip) : toggleFromPage(element),
      );
      return true;
    case 'notifications':
      return openModal('notifications', {});
    case 'historical odds':
      return (
        Boolean(fixture && Number(selection)) &&
        openModal('historical odds', {
          fixtureReference: fixture ?? '',
          selectionId: Number(selection),
          ...(taken && takenAt && bookmaker
            ? { taken: { oddsThousandths: Number(taken), at: takenAt, bookmakerName: bookmaker } }
            : {}),
        })
      );
    case 'share tip':
      return (
        Boolean(portfolio && tip && title) &&
        openModal('share tip', {
          portfolioReference: portfolio ?? '',
          tipReference: tip ?? '',
          title: title ?? '',
          ...(image ? { image } : {}),
        })
      );
    default:
      return false;
  }
}
