import { notFound } from 'next/navigation';
import { now as present } from '@/lib/platform/clock';
import { listManagedPortfolios } from '@/lib/portfolios/queries';
import type { ManagedPortfolio } from '@/lib/portfolios/schema';
import { type MemberViewer, readMemberViewer } from './member-page';
import type { PageQuery } from './page';

/** Spec §2.3, §6: the portfolio whose owner's page at `path` this is, `asked` for with this query; for whoever does not manage it there is no such page. Who is no confirmed member is sent on as `readMemberViewer` says. */
export async function readOwnPortfolio(
  reference: string,
  path: string,
  asked: PageQuery,
): Promise<{ viewer: MemberViewer; portfolio: ManagedPortfolio; now: Date }> {
  const viewer = await readMemberViewer(path, asked);
  const now = present();
  const portfolio = (await listManagedPortfolios(viewer, now)).find((own) => own.reference === reference);
  return { viewer, portfolio: portfolio ?? notFound(), now };
}
