import { notFound, redirect } from 'next/navigation';
import type { Viewer } from '@/lib/access/schema';
import { now as present } from '@/lib/platform/clock';
import { listManagedPortfolios } from '@/lib/portfolios/queries/managed';
import type { ManagedPortfolio } from '@/lib/portfolios/schema/managed';
import { unauthorisedTarget } from '@/lib/route-table';
import { routes } from '@/lib/routes';
import { pageViewer } from './page-viewer';

/** Spec §2.3, §6: the portfolio whose owner's page at `path` this is; a guest is sent on to sign in, and for whoever does not manage it there is no such page. */
export async function readOwnPortfolio(reference: string, path: string): Promise<{ viewer: Viewer; portfolio: ManagedPortfolio; now: Date }> {
  const viewer = await pageViewer();
  if (viewer.kind === 'guest') redirect(unauthorisedTarget(path));
  if (!viewer.confirmed) redirect(routes.verify({ redirect_after_verify: path }));
  const now = present();
  const portfolio = (await listManagedPortfolios(viewer, now)).find((own) => own.reference === reference);
  return { viewer, portfolio: portfolio ?? notFound(), now };
}
