import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { now as present } from '@/lib/platform/clock';
import { database } from '@/lib/platform/database';
import { wholeNumberOf } from '@/lib/platform/whole-number';
import { countries } from '@/lib/reference/schema';
import { refuseUnlessStaff } from '@/lib/staff/queries';
import type { StaffList } from '@/lib/staff/schema';
import { ratePercent } from '../rules/shares';

/** Product §8: the rate of tax that is in what an account pays at a moment, by its country, in thousandths of the price without tax; 0 where staff set none. */
export async function readTaxRate(accountId: number, at: Date): Promise<number> {
  const { rows } = await sql<{ rate: number }>`
    select rate_thousandths as rate from tax_rate join account using (country_id)
    where account.id = ${accountId} and from_at <= ${at} order by from_at desc, tax_rate.id desc limit 1
  `.execute(database());
  return rows[0]?.rate ?? 0;
}

/** A rate as staff decided it: the country, thousandths of the price without tax, and from when; `state` is what it is now. */
export type TaxRate = {
  id: number;
  countryId: number;
  rateThousandths: number;
  fromAt: string;
  state: 'holds' | 'to come' | 'replaced';
};

type Row = Omit<TaxRate, 'fromAt'> & { fromAt: Date };

const columns = (
  at: Date,
) => sql`id, country_id as "countryId", rate_thousandths as "rateThousandths", from_at as "fromAt",
  case when exists (select from tax_rate later where later.country_id = tax_rate.country_id and (later.from_at, later.id) > (tax_rate.from_at, tax_rate.id)
      and (later.from_at <= ${at} or later.from_at = tax_rate.from_at)) then 'replaced'
    when from_at <= ${at} then 'holds' else 'to come' end as state`;

/** The rates of a country that hold or are to come at a moment, the earliest first. */
export async function listRatesOf(countryId: number, at: Date): Promise<TaxRate[]> {
  const { rows } = await sql<Row>`
    select * from (select ${columns(at)} from tax_rate where country_id = ${countryId}) known where state <> 'replaced' order by "fromAt"
  `.execute(database());
  return rows.map(({ fromAt, ...rate }) => ({ ...rate, fromAt: fromAt.toISOString() }));
}

const nameOf = (countryId: number) => countries.find(({ id }) => id === countryId)?.name ?? String(countryId);
const tones = { holds: 'profit', 'to come': 'notice', replaced: 'plain' } as const;

/** Product §8, §11: the rates of tax by country, the newest decision first. */
export const staffTaxRates: StaffList<TaxRate> = {
  name: 'tax-rates',
  title: 'Tax rates',
  lead: 'What part of a price is tax, by the buyer’s country. Prices stay as they are: the tax is in them, and comes off before the shares of site and tipster. A rate holds for orders and renewals from its moment on; what was ordered before keeps its own.',
  none: 'No rate is set: no tax is in any price.',
  searched: 'country, by its two letters',
  filters: [
    {
      name: 'state',
      title: 'State',
      choices: [
        { value: 'holds', title: 'Holds now' },
        { value: 'to come', title: 'To come' },
        { value: 'replaced', title: 'Replaced' },
      ],
    },
  ],
  columns: [
    { key: 'country', title: 'Country', cell: ({ countryId }) => nameOf(countryId) },
    { key: 'rate', title: 'Rate', figure: true, cell: ({ rateThousandths }) => ratePercent(rateThousandths) },
    { key: 'from', title: 'From', cell: ({ fromAt }) => ({ at: fromAt }) },
    { key: 'state', title: 'Now', cell: ({ state }) => ({ state, tone: tones[state] }) },
  ],
  read: async (viewer: Viewer, { q, chosen, after, limit }) => {
    refuseUnlessStaff(viewer);
    const before = wholeNumberOf(after);
    const country = q === null ? null : (countries.find(({ iso2 }) => iso2 === q.toUpperCase())?.id ?? 0);
    const state = chosen['state'] ?? null;
    const { rows } = await sql<Row>`
      select * from (select ${columns(present())} from tax_rate
        where (${before}::int is null or id < ${before}::int) and (${country}::int is null or country_id = ${country}::int)) known
      where ${state}::text is null or state = ${state}::text order by id desc limit ${limit + 1}
    `.execute(database());
    return {
      rows: rows.slice(0, limit).map(({ fromAt, ...rate }) => ({ ...rate, fromAt: fromAt.toISOString() })),
      next: rows.length > limit ? String(rows[limit - 1]?.id) : null,
    };
  },
};
