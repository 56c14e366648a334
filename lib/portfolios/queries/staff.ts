import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { wholeNumberOf } from '@/lib/platform/whole-number';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { refuseUnlessStaff } from '@/lib/staff/queries';
import type { StaffList } from '@/lib/staff/schema';

/** The kinds of portfolios in words. */
export const visibilityNames: Readonly<Record<PortfolioVisibility, string>> = {
  [PortfolioVisibility.personal]: 'personal',
  [PortfolioVisibility.public]: 'public',
  [PortfolioVisibility.premium]: 'premium',
  [PortfolioVisibility.hidden]: 'hidden',
};

/** A portfolio as staff see it; `held` is true where staff hid it. */
export type StaffPortfolio = {
  id: number;
  reference: string;
  name: string;
  owner: string;
  ownerId: number;
  visibility: PortfolioVisibility;
  isPro: boolean;
  isFeatured: boolean;
  isHeld: boolean;
  isAbandoned: boolean;
  tips: number;
  followers: number;
  members: number;
  createdAt: string;
};

type Row = Omit<StaffPortfolio, 'createdAt'> & { createdAt: Date };

const columns = sql`portfolio.id, reference, name, username as owner, owner_id as "ownerId", visibility, tipledger_pro as "isPro",
  exists (select 1 from portfolio_feature where portfolio_id = portfolio.id) as "isFeatured", exists (select 1 from portfolio_hold where portfolio_id = portfolio.id) as "isHeld",
  abandoned_at is not null as "isAbandoned", (select count(*)::int from tip where portfolio_id = portfolio.id) as tips,
  coalesce((select followers from portfolio_followers where portfolio_id = portfolio.id), 0) as followers,
  (select count(*)::int from membership where portfolio_id = portfolio.id and ended_at is null) as members, portfolio.created_at as "createdAt"`;

const viewOf = ({ createdAt, ...row }: Row): StaffPortfolio => ({ ...row, createdAt: createdAt.toISOString() });

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Product §11: the portfolios, the newest first, searched by the beginning of a name, a reference or the owner's username. */
export const staffPortfolios: StaffList<StaffPortfolio> = {
  name: 'portfolios',
  title: 'Portfolios',
  lead: 'Every portfolio. Open one to hide or feature it, or to take it into pro.',
  none: 'Nothing matches. Search by the beginning of a name, a reference or the owner’s username.',
  searched: 'name, reference or owner',
  filters: [
    {
      name: 'kind',
      title: 'Kind',
      choices: Object.entries(visibilityNames).map(([value, title]) => ({ value, title })),
    },
    {
      name: 'mark',
      title: 'Mark',
      choices: [
        { value: 'featured', title: 'Featured' },
        { value: 'pro', title: 'In pro' },
        { value: 'held', title: 'Hidden by staff' },
        { value: 'abandoned', title: 'Abandoned' },
      ],
    },
  ],
  columns: [
    {
      key: 'name',
      title: 'Portfolio',
      cell: ({ name }) => name,
      href: ({ reference }) => routes.staff('portfolios', { id: reference }),
    },
    {
      key: 'owner',
      title: 'Owner',
      cell: ({ owner }) => owner,
      href: ({ ownerId }) => routes.staff('users', { id: ownerId }),
    },
    { key: 'kind', title: 'Kind', cell: ({ visibility }) => visibilityNames[visibility] },
    {
      key: 'marks',
      title: 'Marks',
      cell: ({ isPro, isFeatured, isHeld, isAbandoned }) =>
        [isFeatured && 'featured', isPro && 'pro', isHeld && 'hidden by staff', isAbandoned && 'abandoned']
          .filter(Boolean)
          .join(', ') || null,
    },
    { key: 'tips', title: 'Tips', figure: true, cell: ({ tips }) => tips },
    { key: 'followers', title: 'Followers', figure: true, cell: ({ followers }) => followers },
    { key: 'members', title: 'Members', figure: true, cell: ({ members }) => members },
    { key: 'created', title: 'Since', cell: ({ createdAt }) => ({ at: createdAt }) },
  ],
  read: async (viewer, { q, chosen, after, limit }) => {
    refuseUnlessStaff(viewer);
    const begins = q === null ? null : `${escaped(q.toLowerCase())}%`;
    const before = wholeNumberOf(after);
    const mark = chosen['mark'] ?? null;
    const { rows } = await sql<Row>`
      select ${columns} from portfolio join account on account.id = owner_id
      where (${before}::int is null or portfolio.id < ${before}::int)
        and (${begins}::text is null or lower(name) like ${begins}::text or reference like ${begins}::text or lower(username) like ${begins}::text)
        and (${chosen['kind'] ?? null}::int is null or visibility = ${chosen['kind'] ?? null}::int)
        and (${mark}::text is null or case ${mark}::text
          when 'featured' then exists (select 1 from portfolio_feature where portfolio_id = portfolio.id)
          when 'held' then exists (select 1 from portfolio_hold where portfolio_id = portfolio.id)
          when 'pro' then tipledger_pro else abandoned_at is not null end)
      order by portfolio.id desc limit ${limit + 1}
    `.execute(database());
    return { rows: rows.slice(0, limit).map(viewOf), next: rows.length > limit ? String(rows[limit - 1]?.id) : null };
  },
};

/** A portfolio as staff see it. Failure 'unauthorised' or 'forbidden' for whoever is not staff, 'missing' for no such portfolio. */
export async function getPortfolioForStaff(viewer: Viewer, reference: string): Promise<StaffPortfolio> {
  refuseUnlessStaff(viewer);
  const { rows } = await sql<Row>`
    select ${columns} from portfolio join account on account.id = owner_id where reference = ${reference}
  `.execute(database());
  if (!rows[0]) throw new Failure('missing', 'There is no such portfolio.');
  return viewOf(rows[0]);
}
