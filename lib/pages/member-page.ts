import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import type { Viewer } from '@/lib/access/schema';
import { ownReferer } from '@/lib/http/own-referer';
import { unauthorisedTarget } from '@/lib/route-table';
import { routes } from '@/lib/routes';
import type { PageQuery } from './page';
import { pageViewer } from './page-viewer';

/** A viewer who is signed in. */
export type MemberViewer = Extract<Viewer, { kind: 'member' }>;

/** The address of a page as it was asked for: `path`, which has no query, with all that was asked. */
export function requestedAddress(path: string, asked: PageQuery): string {
  const query = new URLSearchParams(
    Object.entries(asked).flatMap(([name, value = []]) => [value].flat().map((each) => [name, each])),
  );
  return query.size > 0 ? `${path}?${query}` : path;
}

/**
 * Spec §2.4, §4: the member who looks at the page at `path`, `asked` for with this query; a guest is sent on to sign in, somebody unverified to confirm their address, both to come back.
 * Whoever comes from the contact page, where the unverified are left alone, goes on to the dashboard.
 */
export async function readMemberViewer(path: string, asked: PageQuery): Promise<MemberViewer> {
  const here = requestedAddress(path, asked);
  const viewer = await pageViewer();
  if (viewer.kind === 'guest') redirect(unauthorisedTarget(here));
  if (!viewer.confirmed)
    redirect(routes.verify({ redirect_after_verify: (await isFromContact()) ? routes.dashboard() : here }));
  return viewer;
}

/** By the Referer, which the browser sends whole within the site; where it sends none, the page asked for is come back to. */
async function isFromContact(): Promise<boolean> {
  const given = await headers();
  const from = ownReferer({ referer: given.get('referer'), host: given.get('host') });
  return from?.pathname === routes.content('pages', 'contact-us');
}
