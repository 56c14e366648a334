import type { Metadata } from 'next';
import { StaffDetail } from '@/components/admin/staff-detail';
import { StaffForm } from '@/components/admin/staff-form';
import { periodTitle } from '@/components/memberships/words';
import { getSiteCoupon } from '@/lib/memberships/queries';
import { discountText } from '@/lib/memberships/rules';
import { defaultView } from '@/lib/pages/default-view';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { routes } from '@/lib/routes';
import { StaffHistorySection } from '../../../_sections/staff-history-section';

export const dynamic = 'force-dynamic';

type CouponPageProps = { params: Promise<{ code: string }> };

export async function generateMetadata({ params }: CouponPageProps): Promise<Metadata> {
  const { code } = await params;
  return pageMetadata({
    title: `Coupon ${code}`,
    description: 'A coupon of the site, for staff.',
    path: routes.staff('coupons', { id: code }),
    index: false,
  });
}

export default async function CouponPage({ params }: CouponPageProps) {
  const { code } = await params;
  const viewer = await readStaffViewer(routes.staff('coupons', { id: code }));
  const coupon = await orNotFound(getSiteCoupon(viewer, code));
  return (
    <StaffDetail
      title={`Coupon ${coupon.code}`}
      timeZone={defaultView.timeZone}
      facts={[
        { title: 'Discount', value: discountText(coupon) },
        {
          title: 'Plans',
          value: coupon.plans.length === 0 ? 'All' : coupon.plans.map((plan) => periodTitle[plan]).join(', '),
        },
        { title: 'Used', value: coupon.mostUses === null ? coupon.uses : `${coupon.uses} of ${coupon.mostUses}` },
        { title: 'Once each', value: coupon.onceEach ? 'Yes' : 'No' },
        { title: 'Made', value: { at: coupon.createdAt } },
        { title: 'Until', value: coupon.endsAt === null ? 'No end' : { at: coupon.endsAt } },
        { title: 'Ended', value: coupon.endedAt === null ? 'No' : { at: coupon.endedAt } },
      ]}
      actions={
        coupon.endedAt === null && (
          <StaffForm
            call="POST /admin/coupons/{code}"
            params={{ code: coupon.code }}
            action="coupon.end"
            lead="No new order can use it. Members who have it keep their discount. This cannot be undone: make another coupon instead."
          />
        )
      }
    >
      <StaffHistorySection
        viewer={viewer}
        subject={{ kind: 'coupon', id: coupon.code }}
        title="What staff did to this coupon"
      />
    </StaffDetail>
  );
}
