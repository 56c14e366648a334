import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { StaffDetail } from '@/components/admin/staff-detail';
import { StaffForm } from '@/components/admin/staff-form';
import { SiteLink } from '@/components/ui/site-link';
import { getFeed } from '@/lib/fixtures/queries';
import { feedKinds, feedParamsSchema } from '@/lib/fixtures/schema';
import { defaultView } from '@/lib/pages/default-view';
import { pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

type FeedPageProps = { params: Promise<{ feed: string }> };

export async function generateMetadata({ params }: FeedPageProps): Promise<Metadata> {
  const { feed } = await params;
  return pageMetadata({
    title: `Feed: ${feed}`,
    description: 'How a feed runs by itself, for staff.',
    path: routes.staff('feeds', { id: feed }),
    index: false,
  });
}

export default async function FeedPage({ params: given }: FeedPageProps) {
  const params = await given;
  await readStaffViewer(routes.staff('feeds', { id: params.feed }));
  const read = feedParamsSchema.safeParse(params);
  if (!read.success) notFound();
  const feed = await getFeed(read.data.feed);
  const withKey = feedKinds[feed.name] === 'key';
  return (
    <StaffDetail
      title={feed.name}
      timeZone={defaultView.timeZone}
      facts={[
        { title: 'Runs by itself', value: feed.enabled ? 'Yes' : 'No' },
        {
          title: 'Asks',
          value: withKey
            ? 'as its quota allows: the sports whose fixtures start soonest first, within two hours every ten minutes'
            : `every ${feed.everyMinutes} minutes`,
        },
        { title: 'Wanted now since', value: feed.wantedAt === null ? null : { at: feed.wantedAt } },
        ...(withKey
          ? [
              { title: 'Quota left', value: feed.quotaLeft ?? 'Not known before the first answer' },
              { title: 'As of', value: feed.quotaAt === null ? null : { at: feed.quotaAt } },
            ]
          : []),
        ...feed.places.map((place) => ({ title: place, value: { at: feed.askedAt[place] ?? null } })),
        {
          title: 'Runs',
          value: <SiteLink href={routes.staff('feeds', { feed: feed.name })}>Its runs so far</SiteLink>,
        },
      ]}
      actions={
        <>
          <StaffForm
            call="POST /admin/feeds/{feed}"
            params={read.data}
            action="feed.settings"
            fixed={{ revision: String(feed.revision) }}
            fields={[
              {
                kind: 'choice',
                name: 'enabled',
                label: 'Runs by itself',
                value: String(feed.enabled),
                choices: [
                  { value: 'true', title: 'Yes' },
                  { value: 'false', title: 'No' },
                ],
              },
              {
                kind: 'number',
                name: 'everyMinutes',
                label: 'Minutes between',
                hint: withKey ? 'Not used: the quota decides.' : undefined,
                value: String(feed.everyMinutes),
                isNeeded: true,
              },
              {
                kind: 'number',
                name: 'reserve',
                label: 'Calls kept back',
                hint: 'Of a quota, never spent by the schedule.',
                value: String(feed.reserve),
                isNeeded: true,
              },
              {
                kind: 'lines',
                name: 'places',
                label: withKey ? 'Sports of the source' : 'Addresses of files',
                hint: withKey ? 'Such as soccer_epl, one a line.' : 'By https, one a line.',
                value: feed.places.join('\n'),
              },
            ]}
          />
          <StaffForm
            call="POST /admin/feeds/{feed}"
            params={read.data}
            action="feed.run"
            lead="It is read within half a minute, at every place, whether or not it runs by itself."
          />
        </>
      }
    />
  );
}
