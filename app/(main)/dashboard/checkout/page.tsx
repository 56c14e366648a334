import type { Metadata } from 'next';
import { AccountCard } from '@/components/account/account-card';
import { CheckoutForm } from '@/components/memberships/checkout-form';
import { CheckoutTerms } from '@/components/memberships/checkout-terms';
import { CouponForm } from '@/components/memberships/coupon-form';
import { periodTitle } from '@/components/memberships/words';
import { ButtonLink } from '@/components/ui/button-link';
import { FormMessage } from '@/components/ui/form-message';
import { LinkTabs } from '@/components/ui/link-tabs';
import { SiteLink } from '@/components/ui/site-link';
import { getProSale } from '@/lib/memberships/queries';
import { proName } from '@/lib/memberships/rules';
import { pageMetadata, type PageQuery, single } from '@/lib/pages/page';
import { getPause } from '@/lib/pauses/queries';
import { pausedMessage } from '@/lib/pauses/rules';
import { routes } from '@/lib/routes';
import { readMember } from '../_sections/read-member';
import { quote } from './_sections/quote';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = pageMetadata({
  title: `Join ${proName}`,
  description: 'What Tipledger Pro costs, when it renews and how to leave.',
  path: routes.checkout(null),
  index: false,
});

type CheckoutPageProps = { searchParams: Promise<PageQuery> };

export default async function ProCheckoutPage({ searchParams }: CheckoutPageProps) {
  const asked = await searchParams;
  const [given, coupon] = [single(asked.period), single(asked.coupon)];
  const here = (period?: string) => routes.checkout(null, { period, coupon });
  const { viewer, user, now, timeZone } = await readMember(routes.checkout(null), asked);
  const [sale, pause] = [await getProSale(), await getPause(viewer, now)];
  const period = sale.plans.find((plan) => plan.period === given)?.period ?? sale.plans[0]?.period;
  const title = `Join ${proName}`;
  const aside = <SiteLink href={routes.dashboard('memberships')}>Your memberships</SiteLink>;
  if (user.hasProMembership || !period || pause.until !== null)
    return (
      <AccountCard title={title} aside={aside}>
        <p>
          {user.hasProMembership
            ? `You are already a member of ${proName}.`
            : pause.until === null
              ? sale.why
              : pausedMessage(new Date(pause.until), pause.help)}
        </p>
        <p>
          <ButtonLink href={routes.pro()}>Back to {proName}</ButtonLink>
        </p>
      </AccountCard>
    );
  const { terms, problem } = await quote(viewer, undefined, { period, coupon }, now);
  return (
    <AccountCard title={title} aside={<CouponForm action={routes.checkout(null)} period={period} coupon={coupon} />}>
      {sale.plans.length > 1 && (
        <LinkTabs
          label="Plans"
          activeHref={here(period)}
          tabs={sale.plans.map((plan) => ({ href: here(plan.period), title: periodTitle[plan.period] }))}
        />
      )}
      {problem && <FormMessage kind="error">{problem}</FormMessage>}
      <CheckoutTerms terms={terms} timeZone={timeZone} />
      <CheckoutForm portfolio={null} terms={terms} from={routes.pro()} />
    </AccountCard>
  );
}
