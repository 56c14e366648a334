import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { wholeNumberOf } from '@/lib/platform/whole-number';
import { routes } from '@/lib/routes';
import { refuseUnlessStaff } from '@/lib/staff/queries';
import type { StaffList } from '@/lib/staff/schema';

/** A tip as staff see it: its last outcome, null while it is open, why that is not by the results where staff said so, and why it could not be settled when it was last looked at. */
export type StaffTip = {
  id: number;
  reference: string;
  portfolio: string;
  portfolioName: string;
  legs: string;
  publishedAt: string;
  startsAt: string;
  stakeHundredths: number;
  outcome: string | null;
  profitMicrounits: number | null;
  reason: string | null;
  failure: string | null;
};

type Row = Omit<StaffTip, 'publishedAt' | 'startsAt'> & { publishedAt: Date; startsAt: Date };

const columns = sql`tip.id, tip.reference, portfolio.reference as portfolio, portfolio.name as "portfolioName", published_at as "publishedAt", first_starts_at as "startsAt",
  stake_hundredths as "stakeHundredths", last.outcome, last.profit_microunits::float8 as "profitMicrounits", last.reason,
  (select failure from open_tip where tip_id = tip.id) as failure,
  (select string_agg(selection.name || ', ' || fixture.name, '; ' order by tip_leg.position) from tip_leg join fixture on fixture.id = fixture_id join selection on selection.id = selection_id where tip_id = tip.id) as legs`;
const tipsBy = (chosen = sql`tip`) => sql`${chosen} tip join portfolio on portfolio.id = portfolio_id
  left join lateral (select outcome, profit_microunits, reason from tip_settlement where tip_id = tip.id order by version desc limit 1) last on true`;

const viewOf = ({ publishedAt, startsAt, ...row }: Row): StaffTip => ({
  ...row,
  publishedAt: publishedAt.toISOString(),
  startsAt: startsAt.toISOString(),
});

const tipsThatAre: Readonly<Record<string, RawBuilder<unknown>>> = {
  open: sql`and not exists (select from tip_settlement where tip_id = tip.id)`,
  settled: sql`and exists (select from tip_settlement where tip_id = tip.id)`,
  failed: sql`and id = any(array(select tip_id from open_tip where failed_at is not null))`,
  ruled: sql`and id = any(array(select tip_id from tip_settlement where actor <> 'system'))`,
};

/** Product §11: the tips, the newest first, found by their reference or that of their portfolio. */
export const staffTips: StaffList<StaffTip> = {
  name: 'tips',
  title: 'Tips',
  lead: 'Every tip with what became of it. Open one to void it, or to settle it again by its results.',
  none: 'Nothing matches. Search by the reference of a tip or of a portfolio, as in its address.',
  searched: 'reference of a tip or portfolio',
  filters: [
    {
      name: 'state',
      title: 'State',
      choices: [
        { value: 'open', title: 'Open' },
        { value: 'failed', title: 'Could not be settled' },
        { value: 'settled', title: 'Settled' },
        { value: 'ruled', title: 'Decided by staff' },
      ],
    },
  ],
  columns: [
    {
      key: 'reference',
      title: 'Tip',
      cell: ({ reference }) => reference,
      href: ({ reference }) => routes.staff('tips', { id: reference }),
    },
    {
      key: 'portfolio',
      title: 'Portfolio',
      cell: ({ portfolioName }) => portfolioName,
      href: ({ portfolio }) => routes.staff('portfolios', { id: portfolio }),
    },
    { key: 'legs', title: 'Bet', cell: ({ legs }) => legs },
    { key: 'published', title: 'Published', cell: ({ publishedAt }) => ({ at: publishedAt }) },
    { key: 'starts', title: 'First start', cell: ({ startsAt }) => ({ at: startsAt }) },
    { key: 'stake', title: 'Stake (units)', figure: true, cell: ({ stakeHundredths }) => stakeHundredths / 100 },
    { key: 'outcome', title: 'Outcome', cell: ({ outcome }) => outcome ?? 'open' },
    {
      key: 'profit',
      title: 'Profit (units)',
      figure: true,
      cell: ({ profitMicrounits }) => (profitMicrounits === null ? null : Math.round(profitMicrounits / 10_000) / 100),
    },
    { key: 'failure', title: 'Why it could not be settled', wide: true, cell: ({ failure }) => failure },
  ],
  read: async (viewer, { q, chosen, after, limit }) => {
    refuseUnlessStaff(viewer);
    const before = wholeNumberOf(after);
    // What is searched is found by its index before anything else, and only the tips that are shown are joined.
    const found =
      q === null
        ? sql``
        : sql`and id = any(array(
            select id from tip where reference = ${q}
            union all select id from tip where portfolio_id = (select id from portfolio where reference = ${q})))`;
    const page = sql`(
      select * from tip where (${before}::int is null or id < ${before}::int) ${found} ${tipsThatAre[chosen['state'] ?? ''] ?? sql``}
      order by id desc limit ${limit + 1})`;
    const { rows } = await sql<Row>`
      select ${columns} from ${tipsBy(page)} order by tip.id desc
    `.execute(database());
    return { rows: rows.slice(0, limit).map(viewOf), next: rows.length > limit ? String(rows[limit - 1]?.id) : null };
  },
};

/** A tip as staff see it. Failure 'unauthorised' or 'forbidden' for whoever is not staff, 'missing' for no such tip. */
export async function getTipForStaff(viewer: Viewer, reference: string): Promise<StaffTip> {
  refuseUnlessStaff(viewer);
  const { rows } = await sql<Row>`select ${columns} from ${tipsBy()} where tip.reference = ${reference}`.execute(
    database(),
  );
  if (!rows[0]) throw new Failure('missing', 'There is no such tip.');
  return viewOf(rows[0]);
}
