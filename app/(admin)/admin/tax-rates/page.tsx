import type { Metadata } from 'next';
import { StaffForm } from '@/components/admin/staff-form';
import { staffTaxRates } from '@/lib/money/queries';
import { pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { countries, Role } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { StaffListPage, type StaffListSearch } from '../../_sections/staff-list-page';

export const dynamic = 'force-dynamic';

const path = routes.staff('tax-rates');

export const metadata: Metadata = pageMetadata({
  title: staffTaxRates.title,
  description: staffTaxRates.lead,
  path,
  index: false,
});

export default async function TaxRatesPage({ searchParams }: { searchParams: StaffListSearch }) {
  const viewer = await readStaffViewer(path);
  return (
    <StaffListPage list={staffTaxRates} path={path} searchParams={searchParams}>
      {viewer.role === Role.superAdmin ? (
        <StaffForm
          call="POST /admin/tax-rates"
          action="tax.rate"
          lead="It holds for orders and renewals from its moment on. Prices stay as they are: what is tax comes off before the shares of site and tipster."
          fields={[
            {
              kind: 'choice',
              name: 'country',
              label: 'Country',
              value: 'GB',
              choices: countries.map(({ iso2, name }) => ({ value: iso2, title: name })),
            },
            {
              kind: 'number',
              name: 'percent',
              label: 'Per cent',
              hint: 'Of the price without tax, such as 20. 0 for none.',
              isNeeded: true,
            },
            { kind: 'datetime-local', name: 'from', label: 'From', hint: 'In UTC. Empty for at once.' },
          ]}
        />
      ) : (
        <p>Super admins set them.</p>
      )}
    </StaffListPage>
  );
}
