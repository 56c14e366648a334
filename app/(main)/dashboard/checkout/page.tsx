import type { Metadata } from 'next';
import { AccountCard } from '@/components/account/account-card';
import { CheckoutForm } from '@/components/memberships/checkout-form';
import { CheckoutTerms } from '@/components/memberships/checkout-terms';
import { periodTitle } from '@/components/memberships/words';
import { ButtonLink } from '@/components/ui/button-link';
import { LinkTabs } from '@/components/ui/link-tabs';
import { SiteLink } from '@/components/ui/site-link';
import { getProSale, getTerms } from '@/lib/memberships/queries';
import { proName } from '@/lib/memberships/rules';
import { pageMetadata, single } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { readMember } from '../_sections/read-member';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = pageMetadata({
  title: `Join ${proName}`,
  description: 'What Tipledger Pro costs, when it renews and how to leave.',
  path: routes.checkout(null),
  index: false,
});

type CheckoutPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function ProCheckoutPage({ searchParams }: CheckoutPageProps) {
  const given = single((await searchParams).period);
  const here = (period?: string) => routes.checkout(null, { period });
  const { viewer, user, now, timeZone } = await readMember(here(given));
  const sale = await getProSale();
  const period = sale.plans.find((plan) => plan.period === given)?.period ?? sale.plans[0]?.period;
  const title = `Join ${proName}`;
  const aside = <SiteLink href={routes.dashboard('memberships')}>Your memberships</SiteLink>;
  if (user.hasProMembership || !period)
    return (
      <AccountCard title={title} aside={aside}>
        <p>{user.hasProMembership ? `You are a member of ${proName} already.` : sale.why}</p>
        <p>
          <ButtonLink href={routes.pro()}>Back to {proName}</ButtonLink>
        </p>
      </AccountCard>
    );
  const terms = await getTerms(viewer, undefined, { period }, now);
  return (
    <AccountCard title={title} aside={aside}>
      {sale.plans.length > 1 && (
        <LinkTabs
          label="Plans"
          activeHref={here(period)}
          tabs={sale.plans.map((plan) => ({ href: here(plan.period), title: periodTitle[plan.period] }))}
        />
      )}
      <CheckoutTerms terms={terms} timeZone={timeZone} />
      <CheckoutForm portfolio={null} terms={terms} from={routes.pro()} />
    </AccountCard>
  );
}
