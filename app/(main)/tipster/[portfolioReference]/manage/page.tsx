import type { Metadata } from 'next';
import { CouponDesk } from '@/components/memberships/coupon-desk';
import { PlanForm } from '@/components/memberships/plan-form';
import { ProPart } from '@/components/memberships/pro-part';
import { FirstTip } from '@/components/portfolios/first-tip';
import { OwnerAddTip } from '@/components/portfolios/owner-add-tip';
import { OwnerAbandon } from '@/components/portfolios/owner-abandon';
import { OwnerFigures } from '@/components/portfolios/owner-figures';
import { OwnerHead } from '@/components/portfolios/owner-head';
import { PortfolioForm } from '@/components/portfolios/portfolio-form';
import { WebhookForm } from '@/components/portfolios/webhook-form';
import { OwnerPosts } from '@/components/posts/owner-posts';
import { ButtonLink } from '@/components/ui/button-link';
import { Pager } from '@/components/ui/pager';
import { SectionHeading } from '@/components/ui/section-heading';
import { getOwnPlans, listCoupons, listUnpaidOf } from '@/lib/memberships/queries';
import { readOwnPortfolio } from '@/lib/pages/owner-page';
import { pageMetadata, type PageQuery } from '@/lib/pages/page';
import { skipFrom } from '@/lib/pages/portfolio-page';
import { defaultView } from '@/lib/pages/default-view';
import { listManagedPortfolios } from '@/lib/portfolios/queries';
import { nextPortfolio } from '@/lib/portfolios/rules';
import { portfolioLimits } from '@/lib/portfolios/schema';
import { listPosts } from '@/lib/posts/queries';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { listTips } from '@/lib/tips/queries';
import { findWebhook } from '@/lib/webhooks/queries';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

type ManagePageProps = {
  params: Promise<{ portfolioReference: string }>;
  searchParams: Promise<PageQuery>;
};

export async function generateMetadata({ params, searchParams }: ManagePageProps): Promise<Metadata> {
  const path = routes.ownPortfolioPage((await params).portfolioReference, 'manage');
  const { portfolio } = await readOwnPortfolio((await params).portfolioReference, path, await searchParams);
  return pageMetadata({
    title: `Manage: ${portfolio.name}`,
    description: `What ${portfolio.name} is set to, and who follows it. For its owner alone.`,
    path,
    index: false,
  });
}

export default async function ManagePage({ params, searchParams }: ManagePageProps) {
  const { portfolioReference } = await params;
  const asked = await searchParams;
  const here = routes.ownPortfolioPage(portfolioReference, 'manage');
  const { viewer, portfolio, now } = await readOwnPortfolio(portfolioReference, here, asked);
  const skip = skipFrom(asked.skip);
  const [posts, all, tips, plans, coupons, webhook, unpaid] = await Promise.all([
    listPosts(viewer, portfolioReference, { skip }, now),
    listManagedPortfolios(viewer, now),
    listTips(viewer, portfolioReference, { state: 'all', skip: 0, limit: 1 }, now),
    getOwnPlans(viewer, portfolioReference),
    listCoupons(viewer, portfolioReference),
    findWebhook(viewer, portfolioReference),
    listUnpaidOf(viewer, portfolioReference),
  ]);
  const next = nextPortfolio(
    all.map(({ reference }) => reference),
    portfolioReference,
  );
  return (
    <>
      <OwnerHead portfolio={portfolio} page="manage" />
      {tips.items.length === 0 ? (
        <FirstTip
          action={
            <OwnerAddTip reference={portfolioReference} name={portfolio.name} look="button">
              Add tip
            </OwnerAddTip>
          }
        />
      ) : (
        <p className={styles.add}>
          <OwnerAddTip reference={portfolioReference} name={portfolio.name} look="button">
            Add tip
          </OwnerAddTip>
        </p>
      )}
      <OwnerFigures portfolio={portfolio} />
      <section aria-labelledby="posts">
        <SectionHeading
          id="posts"
          aside={
            <ButtonLink size="small" href={routes.newPost(portfolioReference)}>
              Write a post
            </ButtonLink>
          }
        >
          Posts
        </SectionHeading>
        {posts.items.length > 0 ? (
          <OwnerPosts posts={posts.items} timeZone={defaultView.timeZone} />
        ) : (
          <p>{skip > 0 ? 'There are no older posts.' : 'No posts have been published yet.'}</p>
        )}
        <Pager
          back={skip > 0 ? { href: here, title: 'Newest' } : null}
          on={
            posts.next === null
              ? null
              : { href: routes.ownPortfolioPage(portfolioReference, 'manage', { skip: posts.next }), title: 'Older' }
          }
        />
      </section>
      {portfolio.type !== PortfolioVisibility.personal && (
        <section aria-labelledby="plans" className={styles.narrow}>
          <SectionHeading id="plans">Membership plans</SectionHeading>
          {portfolio.type === PortfolioVisibility.premium && !portfolio.sells && (
            <p>
              Set a plan to lock tips: while none is on sale, everything that you publish here is open to everybody.
              What was locked before stays with those who bought it.
            </p>
          )}
          <PlanForm portfolio={portfolioReference} plans={plans} />
        </section>
      )}
      {portfolio.type !== PortfolioVisibility.personal && (
        <section aria-labelledby="coupons">
          <SectionHeading id="coupons">Coupons</SectionHeading>
          <CouponDesk
            portfolio={portfolioReference}
            currencyId={plans.mainCurrencyId}
            coupons={coupons}
            timeZone={defaultView.timeZone}
            now={now.toISOString()}
          />
        </section>
      )}
      {portfolio.type === PortfolioVisibility.premium && (
        <section aria-labelledby="pro" className={styles.narrow}>
          <SectionHeading id="pro">Tipledger Pro</SectionHeading>
          <ProPart portfolio={portfolioReference} tipledgerPro={portfolio.tipledgerPro} sells={portfolio.sells} />
        </section>
      )}
      <section aria-labelledby="settings" className={styles.narrow}>
        <SectionHeading id="settings">Settings</SectionHeading>
        <PortfolioForm portfolio={portfolio} limits={portfolioLimits} />
      </section>
      <section aria-labelledby="webhook">
        <SectionHeading id="webhook">Webhook</SectionHeading>
        <WebhookForm portfolio={portfolioReference} webhook={webhook} timeZone={defaultView.timeZone} />
      </section>
      <section aria-labelledby="abandon" className={styles.narrow}>
        <SectionHeading id="abandon">Close</SectionHeading>
        <OwnerAbandon
          portfolio={portfolio}
          nextName={all.find(({ reference }) => reference === next)?.name ?? null}
          unpaid={unpaid}
        />
      </section>
    </>
  );
}
