import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { StaffDetail } from '@/components/admin/staff-detail';
import { StaffForm } from '@/components/admin/staff-form';
import { defaultView } from '@/lib/pages/default-view';
import { pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { listHelpLines } from '@/lib/reference/queries';
import { countries } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

type HelpLinePageProps = { params: Promise<{ country: string }> };

export async function generateMetadata({ params }: HelpLinePageProps): Promise<Metadata> {
  const { country } = await params;
  return pageMetadata({
    title: `Help line: ${country}`,
    description: 'Where somebody in a country finds help with gambling, for staff.',
    path: routes.staff('help-lines', { id: country }),
    index: false,
  });
}

export default async function HelpLinePage({ params }: HelpLinePageProps) {
  const { country: iso2 } = await params;
  await readStaffViewer(routes.staff('help-lines', { id: iso2 }));
  const country = countries.find((known) => known.iso2 === iso2);
  if (!country) notFound();
  const line = (await listHelpLines()).find(({ countryId }) => countryId === country.id);
  return (
    <StaffDetail
      title={`Help line of ${country.longName}`}
      timeZone={defaultView.timeZone}
      facts={[
        { title: 'Service', value: line?.name ?? 'None of its own: that of the United Kingdom is shown' },
        { title: 'Address', value: line ? <a href={line.url}>{line.url}</a> : null },
        { title: 'Telephone', value: line?.telephone || null },
        { title: 'Shown', value: line ? (line.shown ? 'Yes' : 'No') : null },
      ]}
      actions={
        <StaffForm
          call="POST /admin/help-lines/{country}"
          params={{ country: iso2 }}
          action="help-line.edit"
          fixed={{ revision: String(line?.revision ?? 0) }}
          fields={[
            { kind: 'text', name: 'name', label: 'Service', value: line?.name ?? '', isNeeded: true },
            { kind: 'text', name: 'url', label: 'Address', hint: 'By https.', value: line?.url ?? '', isNeeded: true },
            {
              kind: 'text',
              name: 'telephone',
              label: 'Telephone',
              hint: 'Empty for none.',
              value: line?.telephone ?? '',
            },
            {
              kind: 'choice',
              name: 'shown',
              label: 'Shown',
              value: String(line?.shown ?? true),
              choices: [
                { value: 'true', title: 'Yes' },
                { value: 'false', title: 'No' },
              ],
            },
          ]}
        />
      }
    />
  );
}
