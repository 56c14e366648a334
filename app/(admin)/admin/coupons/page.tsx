import type { Metadata } from 'next';
import { StaffForm } from '@/components/admin/staff-form';
import { periodTitle } from '@/components/memberships/words';
import { staffCoupons } from '@/lib/memberships/queries';
import { planPeriods } from '@/lib/memberships/schema';
import { moneyCurrencies } from '@/lib/money/schema';
import { pageMetadata } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('coupons');

export const metadata: Metadata = pageMetadata({
  title: staffCoupons.title,
  description: staffCoupons.lead,
  path,
  index: false,
});

export default function CouponsPage({ searchParams }: { searchParams: StaffListSearch }) {
  return (
    <StaffListPage list={staffCoupons} path={path} searchParams={searchParams}>
      <StaffForm
        call="POST /admin/coupons"
        action="coupon.create"
        lead="A coupon cannot be changed once it is made, only ended. Give percent, or an amount in one currency: an amount is taken off prices of its currency alone."
        fields={[
          { kind: 'text', name: 'code', label: 'Code', hint: '3 to 20 letters and digits.', isNeeded: true },
          { kind: 'number', name: 'percent', label: 'Percent off', hint: '1 to 100. Empty where an amount is given.' },
          ...moneyCurrencies.map(({ code }) => ({
            kind: 'number' as const,
            name: `off${code}`,
            label: `Amount off in ${code}`,
            hint: 'Empty where percent is given.',
          })),
          {
            kind: 'number',
            name: 'payments',
            label: 'Payments',
            hint: 'The first so many payments of a membership. Empty for every one.',
            value: '1',
          },
          {
            kind: 'choice',
            name: 'plan',
            label: 'Plan',
            choices: [
              { value: '', title: 'All plans' },
              ...planPeriods.map((value) => ({ value, title: periodTitle[value] })),
            ],
          },
          { kind: 'number', name: 'mostUses', label: 'Uses', hint: 'Over all buyers. Empty for any number.' },
          {
            kind: 'choice',
            name: 'onceEach',
            label: 'Once each',
            value: 'true',
            choices: [
              { value: 'true', title: 'Yes: a buyer uses it once' },
              { value: 'false', title: 'No' },
            ],
          },
          { kind: 'date', name: 'lastDay', label: 'Last day', hint: 'In UTC. Empty for no end.' },
        ]}
      />
    </StaffListPage>
  );
}
