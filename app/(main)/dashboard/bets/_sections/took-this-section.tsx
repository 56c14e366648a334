import { TookThis } from '@/components/bet-slip/took-this';
import { SectionHeading } from '@/components/ui/section-heading';
import type { Viewer } from '@/lib/access/schema';
import { listTipLegs } from '@/lib/bets/queries';
import { isFailure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';
import { listBookmakers } from '@/lib/reference/queries';
import { currencies, CurrencyId, type OddsDisplay } from '@/lib/reference/schema';

type TookThisSectionProps = {
  viewer: Viewer;
  portfolioReference: string;
  tipReference: string;
  betCurrencyId: CurrencyId;
  oddsDisplay: OddsDisplay;
  timeZone: string;
  now: Date;
};

/** Where a member notes at which price they took a tip; of a tip that they may not see, why not. */
export async function TookThisSection({
  viewer,
  portfolioReference,
  tipReference,
  betCurrencyId,
  oddsDisplay,
  timeZone,
  now,
}: TookThisSectionProps) {
  const found = await Promise.all([
    getPortfolio(viewer, portfolioReference),
    listTipLegs(viewer, portfolioReference, tipReference, now),
  ]).catch((error: unknown) => {
    if (isFailure(error)) return error;
    throw error;
  });
  if (isFailure(found)) return <p>{found.message}</p>;
  const [portfolio, legs] = found;
  const bookmakers = await listBookmakers();
  return (
    <section aria-labelledby="took-this">
      <SectionHeading id="took-this">Log my price</SectionHeading>
      <TookThis
        tip={{ portfolioReference, portfolioName: portfolio.name, reference: tipReference }}
        legs={legs}
        eachWay={legs.every(({ eachWay }) => eachWay !== null)}
        bookmakers={bookmakers
          .map(({ id, name }) => ({ id, name }))
          .toSorted((a, b) => a.name.localeCompare(b.name, 'en-GB'))}
        currencies={currencies
          .filter(({ id }) => id === betCurrencyId || id === CurrencyId.UNITS)
          .toSorted((a, b) => Number(b.id === betCurrencyId) - Number(a.id === betCurrencyId))}
        oddsDisplay={oddsDisplay}
        timeZone={timeZone}
      />
    </section>
  );
}
