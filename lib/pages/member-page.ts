import { redirect } from 'next/navigation';
import type { Viewer } from '@/lib/access/schema';
import { unauthorisedTarget } from '@/lib/route-table';
import { routes } from '@/lib/routes';
import { pageViewer } from './page-viewer';

/** A viewer who is signed in. */
export type MemberViewer = Extract<Viewer, { kind: 'member' }>;

/** Spec §2.4, §4: the member who looks at the page at `path`; a guest is sent on to sign in, somebody unverified to confirm their address, both to come back. */
export async function readMemberViewer(path: string): Promise<MemberViewer> {
  const viewer = await pageViewer();
  if (viewer.kind === 'guest') redirect(unauthorisedTarget(path));
  if (!viewer.confirmed) redirect(routes.verify({ redirect_after_verify: path }));
  return viewer;
}
