import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { contentFields, publishingFields } from '@/components/admin/content-fields';
import { Differences } from '@/components/admin/differences';
import { StaffDetail } from '@/components/admin/staff-detail';
import { StaffForm } from '@/components/admin/staff-form';
import { VersionTable } from '@/components/admin/version-table';
import { SiteLink } from '@/components/ui/site-link';
import { getEditable, listBrokenLinks } from '@/lib/content/queries';
import { differencesOf, linesOfPage } from '@/lib/content/rules';
import { contentParamsSchema } from '@/lib/content/schema';
import { defaultView } from '@/lib/pages/default-view';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { whyNoPage } from '@/lib/redirects';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

type TextPageProps = { params: Promise<{ kind: string; reference: string }> };

export async function generateMetadata({ params }: TextPageProps): Promise<Metadata> {
  const { kind, reference } = await params;
  return pageMetadata({
    title: `Text: ${reference}`,
    description: 'A text of the site with its versions, for staff.',
    path: routes.staffContent(kind, reference),
    index: false,
  });
}

const call = 'POST /admin/content/{kind}/{reference}';

export default async function TextPage({ params: given }: TextPageProps) {
  const asked = await given;
  await readStaffViewer(routes.staffContent(asked.kind, asked.reference));
  const read = contentParamsSchema.safeParse(asked);
  if (!read.success) notFound();
  const params = read.data;
  const { kind, reference } = params;
  const page = await orNotFound(getEditable(kind, reference));
  const [broken] = await listBrokenLinks(whyNoPage, { kind, reference });
  const fixed = { after: String(page.versions) };
  const older = page.history.filter(({ version }) => version < page.versions || page.history[0]?.state !== 'published');
  const waiting = page.history.filter(({ state }) => state === 'waiting' || state === 'draft');
  const isMade = kind === 'pages' && reference === 'licences';
  const choiceOf = ({ version, author }: { version: number; author: string }) => ({
    value: String(version),
    title: `Version ${version} by ${author}`,
  });
  return (
    <StaffDetail
      title={page.title}
      timeZone={defaultView.timeZone}
      facts={[
        {
          title: 'Text of',
          value:
            page.source === 'file'
              ? 'its file'
              : page.source === 'edit'
                ? 'staff, over its file'
                : 'staff alone, without a file',
        },
        { title: 'Last changed', value: page.shownOn ?? 'Never public' },
        { title: 'Next date', value: page.waitingUntil === null ? 'None' : { at: page.waitingUntil } },
        ...(page.fileChanged
          ? [{ title: 'File', value: { state: 'Changed under the edit: see below', tone: 'notice' } as const }]
          : []),
        ...(broken
          ? [{ title: 'Links that lead nowhere', value: { state: broken.links.join(', '), tone: 'loss' } as const }]
          : []),
        {
          title: 'Page',
          value: page.shown ? (
            <SiteLink href={routes.content(kind, reference)}>{routes.content(kind, reference)}</SiteLink>
          ) : (
            (page.isOff && 'Taken off the site') || 'Not public yet'
          ),
        },
      ]}
      actions={
        isMade ? (
          <p>This page is made from the packages of the program at every release, and cannot be edited.</p>
        ) : (
          <>
            <StaffForm
              call={call}
              params={params}
              action="content.save"
              fixed={fixed}
              fields={contentFields(kind, page.toEdit)}
            />
            {(page.file !== null || older.length > 0) && (
              <StaffForm
                call={call}
                params={params}
                action="content.restore"
                fixed={fixed}
                fields={[
                  {
                    kind: 'choice',
                    name: 'version',
                    label: 'Back to',
                    choices: [
                      ...(page.file === null ? [] : [{ value: '', title: 'Its file, which it follows from then on' }]),
                      ...page.history.map(choiceOf),
                    ],
                  },
                  ...publishingFields.map((field) => (field.name === 'when' ? { ...field, value: 'now' } : field)),
                ]}
              />
            )}
            {page.shown && page.file === null && (
              <StaffForm
                call={call}
                params={params}
                action="content.take-off"
                title="Take off the site"
                lead="Its address answers 404, and lists, menus, feeds, the sitemap and the search have it no more. The preview names the texts that link to it. It can be published again."
                fixed={fixed}
              />
            )}
            {page.isOff && (
              <StaffForm
                call={call}
                params={params}
                action="content.put-back"
                title="Publish again"
                lead="As it was when it was taken off, with its first day."
                fixed={fixed}
              />
            )}
            {waiting.length > 0 && (
              <StaffForm
                call={call}
                params={params}
                action="content.withdraw"
                fields={[{ kind: 'choice', name: 'version', label: 'Which', choices: waiting.map(choiceOf) }]}
              />
            )}
          </>
        )
      }
    >
      {page.history.length > 0 && (
        <VersionTable kind={kind} reference={reference} versions={page.history} timeZone={defaultView.timeZone} />
      )}
      {page.file && page.shown && page.source === 'edit' && (
        <Differences
          title="From the file to what is public"
          lines={differencesOf(linesOfPage(page.file), linesOfPage(page.shown))}
          none="The file says the same by now."
        />
      )}
    </StaffDetail>
  );
}
