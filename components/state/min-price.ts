import { oddsDisplayFrom } from '@/lib/reference/rules';
import { readOdds } from '@/lib/odds/rules';
import type { Price } from '@/lib/odds/schema';
import { minPriceProblem } from '@/lib/tips/rules';
import { viewerNow } from './viewer';

/** The least price that was typed in the member's odds format, for prices taken together: neither where none was typed, a problem for what cannot be read or is above the price taken. */
export function readMinPrice(text: string, taken: readonly Price[]): { price?: Price; problem?: string } {
  if (text.trim() === '') return {};
  const viewer = viewerNow();
  const display = (viewer.kind === 'member' ? oddsDisplayFrom(viewer.settings.oddsDisplayType) : null) ?? 'decimal';
  const reading = readOdds(text, display);
  if (!reading.ok) return { problem: reading.problem };
  const problem = minPriceProblem(
    reading.price,
    taken.map((price) => ({ price })),
    display,
  );
  return problem ? { problem } : { price: reading.price };
}
