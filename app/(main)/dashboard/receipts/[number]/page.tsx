import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { AccountCard } from '@/components/account/account-card';
import { SiteLink } from '@/components/ui/site-link';
import { Stat } from '@/components/ui/stat';
import { Stats } from '@/components/ui/stats';
import { formatAmount } from '@/lib/amounts';
import { formatDate } from '@/lib/format';
import { getReceipt } from '@/lib/money/queries';
import { orNotFound, pageMetadata, type PageQuery } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { readMember } from '../../_sections/read-member';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = pageMetadata({
  title: 'Receipt',
  description: 'One of your receipts, to print.',
  path: routes.dashboard('memberships'),
  index: false,
});

type ReceiptPageProps = { params: Promise<{ number: string }>; searchParams: Promise<PageQuery> };

export default async function ReceiptPage({ params, searchParams }: ReceiptPageProps) {
  const { number } = await params;
  const { viewer, user, timeZone } = await readMember(
    `/dashboard/receipts/${encodeURIComponent(number)}`,
    await searchParams,
  );
  if (!/^[1-9]\d{0,8}$/.test(number)) notFound();
  const receipt = await orNotFound(getReceipt(viewer, Number(number)));
  const day = (iso: string) => formatDate(iso, { timeZone, style: 'day' });
  const { isRefund, description, periodStartsAt, periodEndsAt, currencyId } = receipt;
  // What was given back is kept below zero, and the words say so here.
  const amount = (minor: number) => formatAmount(Math.abs(minor), currencyId);
  return (
    <AccountCard
      title={`${isRefund ? 'Refund receipt' : 'Receipt'} no. ${receipt.number}`}
      intro={
        <>
          Tipledger to {user.username}, {day(receipt.issuedAt)}
        </>
      }
      aside={<SiteLink href={routes.dashboard('memberships')}>Your memberships</SiteLink>}
    >
      <p>
        {isRefund && 'Refund: '}
        {description}
        {periodStartsAt && periodEndsAt && ` (${day(periodStartsAt)} to ${day(periodEndsAt)})`}. Order {receipt.order}.
      </p>
      <Stats>
        {receipt.discountMinor > 0 && (
          <Stat label={receipt.coupon === null ? 'Discount' : `Discount by coupon ${receipt.coupon}`}>
            {amount(receipt.discountMinor)}
          </Stat>
        )}
        <Stat label={isRefund ? 'Refunded' : 'Paid'}>{amount(receipt.amountMinor)}</Stat>
        <Stat label="Of which tax">{amount(receipt.taxMinor)}</Stat>
      </Stats>
    </AccountCard>
  );
}
