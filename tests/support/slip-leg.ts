import type { SlipLeg } from '@/lib/bets/rules';

/** A selection of a fixture of its own at 2.50 with Bet One, of which only what is said matters. */
export const slipLeg = (selectionId: number, said: Partial<SlipLeg> = {}): SlipLeg => ({
  ...{
    fixtureReference: `fixture-${selectionId}`,
    fixtureName: `Fixture ${selectionId}`,
    sportReference: 'football',
    startsAt: '2026-03-10T20:00:00.000Z',
  },
  ...{
    marketName: 'Match result',
    selectionId,
    selectionName: `Selection ${selectionId}`,
    bookmakerId: 1,
    bookmakerName: 'Bet One',
    oddsThousandths: 2500,
    fraction: null,
    eachWay: null,
  },
  ...said,
});
