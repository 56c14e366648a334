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
import { safeRedirect } from '@/lib/access/rules';
import { getSale, listMemberships } from '@/lib/memberships/queries';
import { orNotFound, pageMetadata, type PageQuery, single } from '@/lib/pages/page';
import { getPortfolio } from '@/lib/portfolios/queries';
import { getPause } from '@/lib/pauses/queries';
import { pausedMessage } from '@/lib/pauses/rules';
import { routes } from '@/lib/routes';
import { readMember } from '../../_sections/read-member';
import { quote } from '../_sections/quote';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = pageMetadata({
  title: 'Join',
  description: 'What a membership costs, when it renews and how to leave.',
  path: routes.dashboard('memberships'),
  index: false,
});

type CheckoutPageProps = {
  params: Promise<{ portfolioReference: string }>;
  searchParams: Promise<PageQuery>;
};

export default async function CheckoutPage({ params, searchParams }: CheckoutPageProps) {
  const { portfolioReference } = await params;
  const given = await searchParams;
  const [coupon, from] = [single(given.coupon), safeRedirect(single(given.from))];
  const here = (period?: string) => routes.checkout(portfolioReference, { period, coupon, from: from ?? undefined });
  const { viewer, now, timeZone } = await readMember(routes.checkout(portfolioReference), given);
  const [portfolio, sale, { running }, pause] = await Promise.all([
    orNotFound(getPortfolio(viewer, portfolioReference)),
    orNotFound(getSale(viewer, portfolioReference)),
    listMemberships(viewer, now),
    getPause(viewer, now),
  ]);
  const isMember = running.some((membership) => membership.portfolioReference === portfolioReference);
  const period = sale.plans.find((plan) => plan.period === single(given.period))?.period ?? sale.plans[0]?.period;
  const title = `Join ${portfolio.name}`;
  if (isMember || !period || pause.until !== null || viewer.kind === 'guest')
    return (
      <AccountCard title={title} aside={<SiteLink href={routes.dashboard('memberships')}>Your memberships</SiteLink>}>
        <p>
          {isMember
            ? 'You are already a member of this portfolio.'
            : pause.until === null
              ? sale.why
              : pausedMessage(new Date(pause.until), pause.help)}
        </p>
        <p>
          <ButtonLink href={from ?? routes.portfolio(portfolioReference)}>Back to {portfolio.name}</ButtonLink>
        </p>
      </AccountCard>
    );
  const { terms, problem } = await quote(viewer, portfolioReference, { period, coupon }, now);
  return (
    <AccountCard
      title={title}
      aside={<CouponForm action={routes.checkout(portfolioReference)} period={period} coupon={coupon} from={from} />}
    >
      {sale.plans.length > 1 && (
        <LinkTabs
          label="Plans"
          activeHref={here(period)}
          tabs={sale.plans.map((plan) => ({ href: here(plan.period), title: periodTitle[plan.period] }))}
        />
      )}
      {problem && <FormMessage kind="error">{problem}</FormMessage>}
      {sale.why && <FormMessage kind="error">{sale.why}</FormMessage>}
      <CheckoutTerms terms={terms} timeZone={timeZone} />
      <CheckoutForm portfolio={portfolioReference} terms={terms} from={from} />
    </AccountCard>
  );
}
