import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Differences } from '@/components/admin/differences';
import { StaffDetail } from '@/components/admin/staff-detail';
import { Html } from '@/components/ui/html';
import { SiteLink } from '@/components/ui/site-link';
import { getEditable, getVersionPage } from '@/lib/content/queries';
import { differencesOf, linesOfPage, renderArticle } from '@/lib/content/rules';
import { contentParamsSchema } from '@/lib/content/schema';
import { defaultView } from '@/lib/pages/default-view';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

type VersionPageProps = { params: Promise<{ kind: string; reference: string; version: string }> };

export async function generateMetadata({ params }: VersionPageProps): Promise<Metadata> {
  const { kind, reference, version } = await params;
  return pageMetadata({
    title: `Version ${version} of ${reference}`,
    description: 'A version of a text as it would be shown, for staff.',
    path: `${routes.staffContent(kind, reference)}/${version}`,
    index: false,
  });
}

export default async function VersionPage({ params }: VersionPageProps) {
  const { version: number, ...given } = await params;
  await readStaffViewer(`${routes.staffContent(given.kind, given.reference)}/${number}`);
  const read = contentParamsSchema.safeParse(given);
  if (!read.success || !/^[1-9]\d{0,5}$/.test(number)) notFound();
  const { kind, reference } = read.data;
  const version = await orNotFound(getVersionPage(kind, reference, Number(number)));
  const page = await orNotFound(getEditable(kind, reference));
  const made = page.history.find((each) => each.version === Number(number));
  return (
    <StaffDetail
      title={version.title}
      timeZone={defaultView.timeZone}
      facts={[
        { title: 'Version', value: `${number} of ${page.versions}` },
        { title: 'Summary', value: version.summary },
        { title: 'By', value: made?.author ?? null },
        { title: 'Why', value: made?.reason ?? null },
        { title: 'State', value: made?.state ?? null },
        {
          title: 'Text',
          value: <SiteLink href={routes.staffContent(kind, reference)}>All versions, and what can be done</SiteLink>,
        },
      ]}
    >
      <Differences
        title="From what is public to this version"
        lines={differencesOf(page.shown ? linesOfPage(page.shown) : '', linesOfPage(version))}
        none="The public reads this version."
      />
      <section aria-labelledby="as-shown">
        <h2 id="as-shown">As it is shown</h2>
        <Html html={renderArticle(version.body).html} />
      </section>
    </StaffDetail>
  );
}
