import { getDefaultStore } from 'jotai';
import { quoteKey } from '@/lib/bets/rules';
import { betSlipAtom, loadSlip, slipNow } from '../state/bet-slip';

let isShown = false;

/** Keeps the counts and the pressed prices of every page in step with the slip; the first call does it. */
export function showSlipInPage(): void {
  if (isShown) return;
  isShown = true;
  getDefaultStore().sub(betSlipAtom, show);
  let frame = 0;
  const later = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(show);
  };
  new MutationObserver(
    (records) => records.some(({ type, addedNodes }) => type === 'attributes' || addedNodes.length > 0) && later(),
  ).observe(document.body, { childList: true, subtree: true, attributeFilter: ['data-slip'] });
  void loadSlip().then(show);
}

function show(): void {
  const { legs } = slipNow();
  const keys = new Set(legs.map(quoteKey));
  for (const button of document.querySelectorAll<HTMLElement>('[data-slip]'))
    setAttribute(button, 'aria-pressed', String(keys.has(button.dataset.slip ?? '')));
  for (const count of document.querySelectorAll<HTMLElement>('[data-slip-count]')) {
    if (count.textContent !== String(legs.length)) count.textContent = String(legs.length);
    count.hidden = legs.length === 0;
  }
}

// An attribute that is set as it was tells every observer of a change.
function setAttribute(element: HTMLElement, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
