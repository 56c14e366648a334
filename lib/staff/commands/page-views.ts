import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';

/** How often a kind of page was opened on a day: `day` as 2026-03-10 (UTC), `kind` the pattern of its route. */
export type PageViews = { day: string; kind: string; views: number };

/** Product §11: adds page views to those that are known; two instances that add at once lose none. */
export async function addPageViews(counted: readonly PageViews[]): Promise<void> {
  const column = (of: keyof PageViews) => counted.map((each) => each[of]);
  // In one order, so that two instances never wait for each other.
  await sql`
    insert into page_view (day, kind, views)
    select * from unnest(${column('day')}::date[], ${column('kind')}::text[], ${column('views')}::bigint[]) added (day, kind, views) order by day, kind
    on conflict (day, kind) do update set views = page_view.views + excluded.views
  `.execute(database());
}
