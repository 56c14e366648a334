import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { EnteredList } from '@/components/admin/entered-list';
import { StaffDetail } from '@/components/admin/staff-detail';
import { StaffForm } from '@/components/admin/staff-form';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { FormStack } from '@/components/ui/form-stack';
import { getUnmatched, listEnteredUnder } from '@/lib/fixtures/queries';
import { defaultView } from '@/lib/pages/default-view';
import { orNotFound, pageMetadata, single } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { sports } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

const mostEntered = 50;

type NamePageProps = {
  params: Promise<{ name: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export async function generateMetadata({ params }: NamePageProps): Promise<Metadata> {
  const { name } = await params;
  return pageMetadata({
    title: `Name ${name} of a feed`,
    description: 'Who is meant by a name that a feed uses, for staff.',
    path: routes.staff('names', { id: name }),
    index: false,
  });
}

export default async function NamePage({ params, searchParams }: NamePageProps) {
  const { name: number } = await params;
  const path = routes.staff('names', { id: number });
  const asked = await searchParams;
  const viewer = await readStaffViewer(path, asked);
  if (!/^[1-9]\d{0,8}$/.test(number)) notFound();
  const q = single(asked['q'])?.trim().slice(0, 100) ?? null;
  const name = await orNotFound(getUnmatched(viewer, Number(number), q));
  const entered = await listEnteredUnder(viewer, name.id, mostEntered);
  return (
    <StaffDetail
      title={name.title}
      timeZone={defaultView.timeZone}
      facts={[
        { title: 'Kind', value: name.kind === 'league' ? 'League' : 'Team or runner' },
        { title: 'Sport', value: sports.find(({ id }) => id === name.sportId)?.name ?? null },
        { title: 'Feed', value: name.feed },
        { title: 'Met in', value: name.seenIn },
        { title: 'Since', value: { at: name.firstSeenAt } },
        { title: 'Rows that wait for it', value: name.rows },
        { title: 'Means', value: name.decidedAt ? name.means : 'Nobody has said yet' },
        ...(name.decidedAt ? [{ title: 'Said', value: { at: name.decidedAt } }] : []),
      ]}
      actions={
        name.decidedAt ? (
          <StaffForm
            call="POST /admin/names/{name}"
            params={{ name: number }}
            action="name.unsettle"
            lead="The name waits again, and with it what the feeds tell under it from now on. What has gone in stands: correct the fixtures below where they are wrong."
          />
        ) : (
          <>
            <FormStack method="get" action={path}>
              <Field name="q" label="Look for somebody else" defaultValue={q ?? ''} />
              <Button type="submit" look="secondary">
                Look
              </Button>
            </FormStack>
            <StaffForm
              call="POST /admin/names/{name}"
              params={{ name: number }}
              action="name.settle"
              lead="The feed is remembered to mean this from now on, and what waits goes in. It can be taken back, but what went in by then stands on the record."
              fields={[
                {
                  kind: 'choice',
                  name: 'reference',
                  label: 'Means',
                  choices: [
                    ...name.candidates.map((candidate) => ({
                      value: candidate.reference,
                      title: `${candidate.name} (${candidate.reference})`,
                    })),
                    { value: '', title: 'Somebody new: make it' },
                  ],
                },
              ]}
            />
          </>
        )
      }
    >
      {entered.total > 0 && <EnteredList {...entered} feed={name.feed} timeZone={defaultView.timeZone} />}
    </StaffDetail>
  );
}
