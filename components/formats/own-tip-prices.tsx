import { useEffect } from 'react';
import { formatOdds, formatTotalOdds } from '@/lib/format';
import type { Price } from '@/lib/odds/schema';
import type { OddsDisplay } from '@/lib/reference/schema';
import type { TipPrices } from '@/lib/tips/schema';
import { routes } from '@/lib/routes';
import { api } from '../state/api';
import { keepApplying } from './keep-applying';
import { tipLegMark, tipNowMark } from './marks';
import { priceLead } from './price-now';

/** As many as one call takes. */
const mostAsked = 50;
const laid = 'data-own-price';

type Prices = TipPrices['tips'][number];

const unlaid = () =>
  [...document.querySelectorAll<HTMLElement>(`[${tipNowMark}]:not([${laid}]), [${tipLegMark}]:not([${laid}])`)].filter(
    isMade,
  );

const referenceOf = (element: HTMLElement) =>
  element.getAttribute(tipNowMark) ?? element.getAttribute(tipLegMark)?.split(':')[0] ?? '';

function dataOf(value: number, mark: 'odds' | 'totalOdds', text: string, fraction?: Price['fraction']): HTMLElement {
  const data = document.createElement('data');
  data.value = String(value);
  data.dataset[mark] = data.value;
  if (fraction) data.dataset.fraction = `${fraction.numerator}/${fraction.denominator}`;
  data.textContent = text;
  return data;
}

function priceData(price: Price | null, display: OddsDisplay): HTMLElement | null {
  return price && dataOf(price.oddsThousandths, 'odds', formatOdds(price, display), price.fraction);
}

function writeTip(element: HTMLElement, tip: Prices, display: OddsDisplay): void {
  const [lead, place] = element.children;
  const { best, totalThousandths } = tip;
  const now =
    priceData(best, display) ??
    (totalThousandths === null
      ? ''
      : dataOf(totalThousandths, 'totalOdds', formatTotalOdds(totalThousandths, display)));
  element.dataset.gone = String(tip.isGone);
  if (lead) lead.textContent = priceLead(tip);
  place?.replaceChildren(now);
}

function writeLeg(element: HTMLElement, tip: Prices, display: OddsDisplay): void {
  const best = tip.legs[Number(element.getAttribute(tipLegMark)?.split(':')[1])] ?? null;
  const [place, book] = element.children;
  place?.replaceChildren(priceData(best && best.price, display) ?? '–');
  if (book) book.textContent = best?.bookmakerName ?? '';
}

// What the member's own part of the page shows is made for their country, and is React's to change.
const isMade = (element: HTMLElement) =>
  element.closest('[data-made]') !== null || element.closest('[data-island]') === null;

async function showOwn(display: OddsDisplay): Promise<void> {
  const elements = unlaid();
  const references = [...new Set(elements.map(referenceOf))];
  for (let first = 0; first < references.length; first += mostAsked) {
    const asked = references.slice(first, first + mostAsked);
    const { tips } = await api('GET /best-odds/tips', { query: { tips: asked.join() } });
    const found = new Map(tips.map((tip) => [tip.reference, tip]));
    for (const element of elements) {
      if (!asked.includes(referenceOf(element))) continue;
      element.setAttribute(laid, '');
      const tip = found.get(referenceOf(element));
      if (tip) (element.hasAttribute(tipNowMark) ? writeTip : writeLeg)(element, tip, display);
    }
  }
}

/** Shows the prices of open tips now as a member of another country can have them, wherever the page says them and will say them later. */
export function OwnTipPrices({ countryId, display }: { countryId: number; display: OddsDisplay }) {
  useEffect(() => {
    const stop = keepApplying({
      isWanted: () => !location.pathname.startsWith(routes.dashboard()) && unlaid().length > 0,
      apply: () => showOwn(display),
      failed: 'The prices of tips in the member’s country could not be asked for.',
    });
    return () => {
      stop();
      // Another country lays its own over it.
      for (const element of document.querySelectorAll(`[${laid}]`)) element.removeAttribute(laid);
    };
  }, [countryId, display]);
  return null;
}
