import { routes } from '@/lib/routes';
import { SiteLink } from './site-link';

/** Product §8: tells the owner of a premium portfolio without a plan on sale that nothing can be locked in it, and where to change that. */
export function OpenToAll({ portfolio }: { portfolio: string }) {
  return (
    <p>
      This portfolio has no plan on sale, so this is published open to everybody.{' '}
      <SiteLink href={`${routes.ownPortfolioPage(portfolio, 'manage')}#plans`}>Set a plan to lock tips</SiteLink>
    </p>
  );
}
