import type { TipToPublish } from '@/lib/bets/rules';

// FNV-1a, twice with different seeds: it tells apart texts that one tipster writes, and works where the browser has no cryptography.
function hash(text: string, seed: number): string {
  let value = seed;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 16_777_619);
  return (value >>> 0).toString(36);
}

/**
 * Product §8: names the attempt to publish a tip by what is in it, so that a double click, a second tab or another try after a lost answer
 * publishes it once.
 */
export function attemptKey({
  legs,
  stakeHundredths,
  eachWay = false,
  minPrice,
  analysis = '',
  free = true,
  hidden = false,
}: TipToPublish): string {
  const chosen = legs
    .map(({ selectionId, bookmakerId, oddsThousandths }) => [selectionId, bookmakerId, oddsThousandths].join('.'))
    .join('_');
  const text = JSON.stringify([
    chosen,
    stakeHundredths,
    eachWay,
    analysis,
    free,
    hidden,
    ...(minPrice ? [minPrice] : []),
  ]);
  return `tip-${hash(text, 2_166_136_261)}-${hash(text, 1_540_483_477)}-${text.length}`;
}
