import type { Metadata } from 'next';
import { AccountCard } from '@/components/account/account-card';
import { OrderWatch } from '@/components/memberships/order-watch';
import { ProductProcessing } from '@/components/memberships/product-processing';
import { SiteLink } from '@/components/ui/site-link';
import { readOrder } from '@/lib/memberships/commands';
import { orNotFound, pageMetadata, type PageQuery } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { readMember } from '../../_sections/read-member';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = pageMetadata({
  title: 'Your order',
  description: 'The status of your order.',
  path: routes.dashboard('memberships'),
  index: false,
});

type OrderPageProps = { params: Promise<{ order: string }>; searchParams: Promise<PageQuery> };

export default async function OrderPage({ params, searchParams }: OrderPageProps) {
  const { order: reference } = await params;
  const { viewer } = await readMember(routes.order(reference), await searchParams);
  const order = await orNotFound(readOrder(viewer, reference));
  return (
    <AccountCard
      title={`Membership of ${order.portfolioName}`}
      aside={<SiteLink href={routes.dashboard('memberships')}>Your memberships</SiteLink>}
    >
      <ProductProcessing order={reference} first={order} />
      {order.status === 'processing' && <OrderWatch order={reference} />}
    </AccountCard>
  );
}
