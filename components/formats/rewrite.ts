import { type DateStyle, formatDate, formatOdds, formatTotalOdds, priceName } from '@/lib/format';
import type { OddsFraction } from '@/lib/odds/schema';
import { defaultTimeZone } from '@/lib/reference/schema';
import type { MomentStyle } from './marks';
import { timeTitle, type Formats } from './formats';

const marked = '[data-odds], [data-total-odds], [data-date], [data-zone-name], [data-page-days], time[title]';
const attributes = [
  'datetime',
  'value',
  'data-odds',
  'data-fraction',
  'data-total-odds',
  'data-date',
  'data-at',
  'title',
];

/** Pages are made in the default zone; those of the dashboard, in the member's own, hold no headings of days. */
const pageZone = defaultTimeZone.tz;

function fractionOf(text: string | undefined): OddsFraction | null {
  const [numerator, denominator] = (text ?? '').split('/').map(Number);
  return numerator && denominator ? { numerator, denominator } : null;
}

/** An instant with its time; a bare day is nobody's to move into another zone. */
function instantOf(element: HTMLElement): string | null {
  const text = element.dataset.at ?? element.closest('time')?.dateTime ?? '';
  return text.includes('T') ? text : null;
}

function momentText(at: string, style: MomentStyle, timeZone: string): string {
  if (style !== 'time-of-day') return formatDate(at, { timeZone, style });
  const day = (zone: string) => formatDate(at, { timeZone: zone, style: 'day' });
  const time = formatDate(at, { timeZone, style: 'time' });
  return day(timeZone) === day(pageZone) ? time : `${day(timeZone).slice(0, 3)} ${time}`;
}

function textFor(element: HTMLElement, { timeZone, timeZoneName, oddsDisplay }: Formats): string | null {
  const { odds, fraction, totalOdds, date, zoneName } = element.dataset;
  if (odds !== undefined)
    return formatOdds({ oddsThousandths: Number(odds), fraction: fractionOf(fraction) }, oddsDisplay);
  if (totalOdds !== undefined) return formatTotalOdds(Number(totalOdds), oddsDisplay);
  if (zoneName !== undefined)
    return timeZone === pageZone ? (element.getAttribute('value') ?? '') : timeTitle({ timeZone, timeZoneName });
  const at = date === undefined ? null : instantOf(element);
  return at === null ? null : momentText(at, date as DateStyle, timeZone);
}

/** The name of a button that is a price says the price too. */
function nameButton(element: HTMLElement, text: string): void {
  const button = element.closest<HTMLElement>('[data-slip][aria-label]');
  const selection = button?.closest<HTMLElement>('[data-slip-selection]')?.dataset.slipSelection;
  if (!button || selection === undefined) return;
  const name = priceName(selection, text, button.dataset.bookmaker ?? '');
  if (button.ariaLabel !== name) button.ariaLabel = name;
}

/** React compares its own values alone, so the one text of an element may be another as long as its node stays. */
function write(element: HTMLElement, formats: Formats): void {
  const node = element.firstChild;
  const text = node instanceof Text && node === element.lastChild ? textFor(element, formats) : null;
  if (node && text !== null && node.nodeValue !== text) node.nodeValue = text;
  if (text !== null && element.dataset.odds !== undefined) nameButton(element, text);
  if ('pageDays' in element.dataset) element.hidden = formats.timeZone === pageZone;
  if (!(element instanceof HTMLTimeElement) || !element.title) return;
  const at = instantOf(element);
  const title = at === null ? element.title : formatDate(at, { timeZone: formats.timeZone, style: 'day-time' });
  if (element.title !== title) element.title = title;
}

/** Rewrites what is marked in a part of the document by how somebody wants to see it. */
export function rewriteFormats(root: ParentNode, formats: Formats): void {
  for (const element of root.querySelectorAll<HTMLElement>(marked)) write(element, formats);
}

/** Lays it over the whole page, and over whatever the page shows later, before it is painted; returns what stops it. */
export function keepRewriting(formats: Formats): () => void {
  const observer = new MutationObserver((records) => {
    for (const { target, addedNodes } of records) {
      const owner = (target instanceof Element ? target : target.parentElement)?.closest<HTMLElement>(marked);
      if (owner) write(owner, formats);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches(marked)) write(node as HTMLElement, formats);
        rewriteFormats(node, formats);
      }
    }
    observer.takeRecords();
  });
  rewriteFormats(document, formats);
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributeFilter: attributes });
  return () => observer.disconnect();
}
