import { formatAmount } from '@/lib/amounts';
import { routes } from '@/lib/routes';
import type { ComparedPortfolio } from '@/lib/stats/schema';
import { SiteLink } from '../ui/site-link';

/** What a portfolio's membership costs a month at least, and the way to join; nothing where nothing is sold. */
export function PriceNote({
  portfolio: { reference, name, price },
}: {
  portfolio: Pick<ComparedPortfolio, 'reference' | 'name' | 'price'>;
}) {
  if (!price) return null;
  return (
    <>
      {formatAmount(price.monthMinor, price.currencyId)}{' '}
      <SiteLink href={routes.checkout(reference)} aria-label={`Join ${name}`}>
        Join
      </SiteLink>
    </>
  );
}
