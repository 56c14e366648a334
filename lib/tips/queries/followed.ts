import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { PortfolioVisibility } from '@/lib/reference/schema/enumerations';
import { tipsAPage } from '../queries';
import type { TipPage } from '../schema';
import { selectTips, tipOf } from './rows';

/** Spec §2.6, the feed: a page of the tips of the portfolios that the viewer follows, newest first, after the first `skip`. Failure 'unauthorised' for a guest. */
export async function listFollowedTips(viewer: Viewer, skip: number, now: Date): Promise<TipPage> {
  if (viewer.kind === 'guest') throw new Failure('unauthorised', 'Sign in to see the tips of the tipsters whom you follow.');
  const { rows } = await selectTips(sql`
    where tip.portfolio_id in (select portfolio_id from follow where account_id = ${viewer.accountId}) and portfolio.visibility <> ${PortfolioVisibility.personal}
    order by tip.published_at desc, tip.id desc limit ${tipsAPage + 1} offset ${skip}`).execute(database());
  return { items: rows.slice(0, tipsAPage).map((row) => tipOf(viewer, row, now)), next: rows.length > tipsAPage ? skip + tipsAPage : null };
}
