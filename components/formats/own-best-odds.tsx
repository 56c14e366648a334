import { useEffect } from 'react';
import { formatOdds } from '@/lib/format';
import type { BestOdds } from '@/lib/fixtures/schema';
import type { OddsDisplay } from '@/lib/reference/schema';
import { api } from '../state/api';
import { keepApplying } from './keep-applying';
import { bestMark } from './marks';

/** As many as one call takes. */
const mostAsked = 100;

const unlaid = () => [...document.querySelectorAll<HTMLElement>(`[${bestMark}]:not([data-own])`)];

function placeOf(element: HTMLElement): [id: string, key: string] {
  const mark = element.getAttribute(bestMark) ?? '';
  const end = mark.indexOf(':');
  return [mark.slice(0, end), mark.slice(end + 1)];
}

function write(element: HTMLElement, best: BestOdds | undefined, display: OddsDisplay): void {
  element.dataset.own = '';
  if (!best) {
    element.textContent = '–';
    element.title = 'No bookmaker in your country has a price';
    return;
  }
  const { price, bookmakerName } = best;
  const odds = document.createElement('data');
  odds.value = String(price.oddsThousandths);
  odds.dataset.odds = odds.value;
  if (price.fraction) odds.dataset.fraction = `${price.fraction.numerator}/${price.fraction.denominator}`;
  odds.textContent = formatOdds(price, display);
  element.replaceChildren(odds);
  element.title = bookmakerName;
}

async function showOwn(display: OddsDisplay): Promise<void> {
  const elements = unlaid();
  const ids = [...new Set(elements.map((element) => placeOf(element)[0]))];
  for (let first = 0; first < ids.length; first += mostAsked) {
    const asked = ids.slice(first, first + mostAsked);
    const { fixtures } = await api('GET /best-odds', { query: { fixtures: asked.join() } });
    const found = new Map(fixtures.map(({ id, bestOdds }) => [String(id), bestOdds]));
    for (const element of elements) {
      const [id, key] = placeOf(element);
      if (!asked.includes(id)) continue;
      write(
        element,
        found.get(id)?.find((best) => best.key === key),
        display,
      );
    }
  }
}

/** Shows the best prices of every list on the page as a member of another country can have them, and of what the page shows later. */
export function OwnBestOdds({ countryId, display }: { countryId: number; display: OddsDisplay }) {
  useEffect(() => {
    const stop = keepApplying({
      isWanted: () => unlaid().length > 0,
      apply: () => showOwn(display),
      failed: 'The best prices of the member’s country could not be asked for.',
    });
    return () => {
      stop();
      // Another country lays its own over it.
      for (const element of document.querySelectorAll<HTMLElement>('[data-own]')) delete element.dataset.own;
    };
  }, [countryId, display]);
  return null;
}
