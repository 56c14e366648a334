import type { Metadata } from 'next';
import { StaffDetail } from '@/components/admin/staff-detail';
import { StaffForm, type StaffField } from '@/components/admin/staff-form';
import { periodTitle } from '@/components/memberships/words';
import { SiteLink } from '@/components/ui/site-link';
import { formatAmount } from '@/lib/amounts';
import { listFees } from '@/lib/affiliates/queries';
import { getProOffer } from '@/lib/memberships/queries';
import { markOfPrices, priceNoticeDays } from '@/lib/memberships/rules';
import { proPeriods } from '@/lib/memberships/schema';
import { markOfAmounts } from '@/lib/money/rules';
import { amountText, moneyCurrencies } from '@/lib/money/schema';
import { defaultView } from '@/lib/pages/default-view';
import { pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { routes } from '@/lib/routes';
import { StaffHistorySection } from '../../_sections/staff-history-section';

export const dynamic = 'force-dynamic';

const path = routes.staff('offers');

export const metadata: Metadata = pageMetadata({
  title: 'Pro and affiliates',
  description: 'What Tipledger Pro costs and what affiliates earn, for staff.',
  path,
  index: false,
});

type Amounts = readonly { currencyId: (typeof moneyCurrencies)[number]['id']; amountMinor: number }[];

const inWords = (amounts: Amounts) =>
  amounts.map(({ amountMinor, currencyId }) => formatAmount(amountMinor, currencyId)).join(', ');

function amountsIn(word: string, title: string, amounts: Amounts): StaffField[] {
  return moneyCurrencies.map(({ id, code, minorDigits }) => {
    const known = amounts.find(({ currencyId }) => currencyId === id);
    return {
      kind: 'number',
      name: `${word}${code}`,
      label: `${title} in ${code}`,
      hint: minorDigits > 0 ? 'Such as 49.00. Empty for none.' : 'Whole numbers. Empty for none.',
      value: known ? amountText(known.amountMinor, minorDigits) : '',
    };
  });
}

export default async function OffersPage() {
  const viewer = await readStaffViewer(path);
  const [{ members, plans }, fees] = await Promise.all([getProOffer(viewer), listFees()]);
  const planOf = (period: (typeof proPeriods)[number]) => plans.find((plan) => plan.period === period);
  return (
    <StaffDetail
      title="Pro and affiliates"
      timeZone={defaultView.timeZone}
      facts={[
        { title: 'Seen by everybody', value: <SiteLink href={routes.pro()}>Tipledger Pro</SiteLink> },
        { title: 'Members of Pro', value: members },
        ...proPeriods.map((period) => {
          const plan = planOf(period);
          const prices = plan && plan.prices.length > 0 ? inWords(plan.prices) : 'no price';
          return { title: `Pro, ${period}ly`, value: `${plan?.onSale ? 'On sale' : 'Not on sale'}: ${prices}` };
        }),
        {
          title: 'An affiliate earns for a new buyer',
          value: fees.length > 0 ? inWords(fees) : 'Nothing: no fee is set',
        },
      ]}
      actions={
        <>
          <StaffForm
            call="POST /admin/pro"
            action="pro.prices"
            lead={`When a price goes up, members are told at once and pay the old one for at least ${priceNoticeDays} days. A lower one applies from their next period. Members of a plan that is taken off sale keep it.`}
            fixed={{ seen: markOfPrices(plans) }}
            fields={proPeriods.flatMap((period): StaffField[] => [
              {
                kind: 'choice',
                name: `${period}OnSale`,
                label: `${periodTitle[period]}, on sale`,
                value: String(planOf(period)?.onSale ?? false),
                choices: [
                  { value: 'true', title: 'Yes, with a price in GBP at least' },
                  { value: 'false', title: 'No' },
                ],
              },
              ...amountsIn(period, `${periodTitle[period]} price`, planOf(period)?.prices ?? []),
            ])}
          />
          <StaffForm
            call="POST /admin/affiliates"
            action="affiliates.fees"
            lead="What the first paid membership of a buyer who came by an affiliate’s link earns, in the currency that was paid, from now on; never more than the site keeps of it."
            fixed={{ seen: markOfAmounts(fees) }}
            fields={amountsIn('fee', 'Fee', fees)}
          />
        </>
      }
    >
      <StaffHistorySection viewer={viewer} subject={{ kind: 'pro', id: 'prices' }} title="What staff did to Pro" />
      <StaffHistorySection
        viewer={viewer}
        subject={{ kind: 'affiliates', id: 'fees' }}
        title="What staff did to the fees"
      />
    </StaffDetail>
  );
}
