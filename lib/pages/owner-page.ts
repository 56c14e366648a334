import { notFound } from 'next/navigation';
import { now as present } from '@/lib/platform/clock';
import { listManagedPortfolios } from '@/lib/portfolios/queries';
import type { ManagedPortfolio } from '@/lib/portfolios/schema';
import { type MemberViewer, readMemberViewer } from './member-page';

/** Spec §2.3, §6: the portfolio whose owner's page at `path` this is; for whoever does not manage it there is no such page. Who is no confirmed member is sent on as `readMemberViewer` says. */
export async function readOwnPortfolio(
  reference: string,
  path: string,
): Promise<{ viewer: MemberViewer; portfolio: ManagedPortfolio; now: Date }> {
  const viewer = await readMemberViewer(path);
  const now = present();
  const portfolio = (await listManagedPortfolios(viewer, now)).find((own) => own.reference === reference);
  return { viewer, portfolio: portfolio ?? notFound(), now };
}
