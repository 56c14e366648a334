import { quoteKey, type SlipLeg } from '@/lib/bets/rules';
import { maxSlipLegs } from '@/lib/bets/schema';
import { api } from '../state/api';
import { addToSlip, editSlip, loadSlip, removeFromSlip, slipNow } from '../state/bet-slip';
import { isModalOpen, openModal, showFeedback } from '../state/modals';
import { showSlipInPage } from './slip-in-page';

const markOf = (element: HTMLElement, name: 'fixture' | 'market' | 'selection') =>
  element.closest<HTMLElement>(`[data-slip-${name}]`)?.getAttribute(`data-slip-${name}`) ?? '';

/** The leg that a price of the page stands for; null where its marks do not say. */
export function legFromPage(button: HTMLElement): SlipLeg | null {
  const [selectionId = 0, bookmakerId = 0] = (button.dataset.slip ?? '').split(':').map(Number);
  const price = button.querySelector<HTMLElement>('[data-odds]');
  const fixture = markOf(button, 'fixture');
  const market = markOf(button, 'market');
  const selection = markOf(button, 'selection');
  if (!price || !fixture || !market || !selection || !selectionId || !bookmakerId) return null;
  const [fixtureReference = '', fixtureName = '', sportReference = '', startsAt = ''] = JSON.parse(fixture) as string[];
  return {
    ...{ fixtureReference, fixtureName, sportReference, startsAt, selectionId, bookmakerId, eachWay: null },
    ...{ marketName: market, selectionName: selection, bookmakerName: button.dataset.bookmaker ?? '' },
    oddsThousandths: Number(price.dataset.odds),
    fraction: price.dataset.fraction ?? null,
  };
}

/** Puts a price of the page into the slip, or takes it out again when it is there, with a word. */
export async function toggleFromPage(button: HTMLElement): Promise<void> {
  await loadSlip();
  showSlipInPage();
  const leg = legFromPage(button);
  if (!leg) return;
  if (slipNow().legs.some((own) => quoteKey(own) === quoteKey(leg))) {
    removeFromSlip(leg.selectionId);
    return showFeedback({
      title: 'Bet slip',
      text: `${leg.selectionName} was removed.`,
      kind: 'success',
    });
  }
  tell(leg.selectionName, addToSlip(leg) === 'full' ? 1 : 0, 1);
}

/** Puts the legs of a tip into the slip, as many as there is room for, with a word unless the page shows the slip and all are in it; `tip` is "portfolio/tip". */
export async function addTipFromPage(tip: string, isSlipShown = false): Promise<void> {
  await loadSlip();
  showSlipInPage();
  try {
    const [portfolio = '', reference = ''] = tip.split('/');
    const { legs } = await api('GET /bet-slip/tip/{portfolio}/{tip}', { params: { portfolio, tip: reference } });
    const wasEmpty = slipNow().legs.length === 0;
    const added = legs.map((leg) => addToSlip(leg));
    const left = added.filter((result) => result === 'full').length;
    const isMultiple = legs.length > 1;
    if (wasEmpty || !isMultiple) {
      // As its tipster took it; a multiple beside other selections the member puts together. Of a tip, only one that is each-way has terms.
      const eachWay = legs.flatMap((leg, index) => (leg.eachWay && added[index] === 'added' ? [leg.selectionId] : []));
      void editSlip((slip) => ({
        ...slip,
        mode: wasEmpty && isMultiple ? 'accumulator' : slip.mode,
        eachWay: [...new Set([...slip.eachWay, ...eachWay])],
      }));
    }
    tell(
      legs.length === 1 ? (legs[0]?.selectionName ?? '') : `${legs.length} selections`,
      left,
      legs.length,
      isSlipShown,
    );
  } catch (error) {
    showFeedback({
      title: 'Error',
      text: error instanceof Error ? error.message : 'The tip could not be added. Try again.',
      kind: 'error',
    });
  }
}

function tell(what: string, left: number, asked: number, isSlipShown = false): void {
  const many = slipNow().legs.length;
  const action = { title: 'Open slip', run: () => void openModal('bet slip', {}) };
  if (left === 0) {
    // An open slip shows it itself.
    if (isSlipShown || isModalOpen('bet slip')) return;
    return showFeedback({
      title: 'Added to your bet slip',
      text: `${what}: ${many} of ${maxSlipLegs} selections.`,
      kind: 'success',
      action,
    });
  }
  const text =
    left === asked
      ? `It holds ${maxSlipLegs} selections. Remove one first.`
      : `${left} of ${asked} selections did not fit: it holds ${maxSlipLegs}.`;
  showFeedback({ title: 'Your bet slip is full', text, kind: 'error', action });
}
