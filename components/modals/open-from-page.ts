import { addressNow } from '../state/auth-navigation';
import { closeModal, isModalOpen, openModal } from '../state/modals';

/**
 * Opens the modal that an element of the page names in `data-modal`, with what its other `data-` attributes give; false when it is not for this
 * viewer or lacks something, so that a link goes where it leads.
 */
export function openFromPage(element: HTMLElement): boolean {
  const { dataset } = element;
  const { modal, fixture, selection, taken, takenAt, bookmaker, portfolio, tip, title, image, follow, name } = dataset;
  switch (modal) {
    case 'login':
      return openModal('login', {
        redirectTo: addressNow(),
        ...(follow && { intent: { kind: 'follow', portfolioReference: follow, name: name ?? follow } }),
      });
    case 'bet slip':
      if (!dataset.slip && !dataset.slipTip) {
        // Beside the page, its button stays in reach.
        if (!isModalOpen('bet slip')) return openModal('bet slip', {});
        closeModal('bet slip');
        return true;
      }
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
