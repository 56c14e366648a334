import 'server-only';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { formatMoney } from '@/lib/format';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { countries } from '@/lib/reference/schema';
import { act } from '@/lib/staff/commands';
import type { StaffFacts } from '@/lib/staff/schema';
import { listRatesOf } from '../queries/tax';
import { ratePercent, taxIn } from '../rules/shares';
import type { TaxRateOrder, TaxRateOutcome } from '../schema/tax';

const exampleMinor = 10_000;

async function factsOf(countryId: number, at: Date): Promise<StaffFacts> {
  const rates = await listRatesOf(countryId, at);
  const holds = rates.find(({ state }) => state === 'holds')?.rateThousandths ?? 0;
  const next = rates.filter(({ state }) => state === 'to come');
  return {
    'Rate now': ratePercent(holds),
    'Tax in a price of £100 now': formatMoney({ minor: taxIn(exampleMinor, holds), currency: 'GBP' }),
    'Rates to come':
      next.map(({ rateThousandths, fromAt }) => `${ratePercent(rateThousandths)} from ${fromAt}`).join(', ') || null,
  };
}

async function countRenewing(countryId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from membership join account on account.id = account_id
    where country_id = ${countryId} and plan_id is not null and ended_at is null and cancelled_at is null
  `.execute(database());
  return rows[0]?.count ?? 0;
}

/** The newest decision on a country's rate; 0 for none. */
async function findNewest(countryId: number): Promise<number> {
  const { rows } = await sql<{ newest: number }>`
    select coalesce(max(id), 0) as newest from tax_rate where country_id = ${countryId}
  `.execute(database());
  return rows[0]?.newest ?? 0;
}

const markOf = (countryId: number, newest: number) =>
  createHash('sha256').update(`${countryId} ${newest}`).digest('hex');

const overtaken = () =>
  new Failure(
    'conflict',
    'Somebody set a rate for this country since this was shown. Nothing was done: look at what changes again, then confirm it.',
  );

/**
 * Product §8, §11: super admins set what part of a price is tax in a country from a moment on, at once where none is named. Done with the mark of its preview it follows the
 * decision that was shown, or is refused. Failure 'invalid' for a country that is none or a moment that is over, 'conflict' for what would hold anyway, and where somebody
 * decided since the preview or at the same time; else as `act`.
 */
export async function orderTaxRate(
  viewer: Viewer,
  { action, country, percent, from, reason, preview, seen }: TaxRateOrder,
): Promise<TaxRateOutcome> {
  const subject = { kind: 'tax', id: country };
  let mark: string | null = null;
  const outcome = await act({ staff: viewer, action, subject, reason, preview }, async () => {
    const countryId = countries.find(({ iso2 }) => iso2 === country)?.id;
    if (countryId === undefined)
      throw new Failure('invalid', 'There is no such country.', { country: 'is no country' });
    const now = await decisionMoment();
    const fromAt = from ?? now;
    if (fromAt < now) {
      const message = 'A rate cannot hold for what was ordered before. Name a moment to come, or none.';
      throw new Failure('invalid', message, { from: message });
    }
    const newest = await findNewest(countryId);
    mark = markOf(countryId, newest);
    if (!preview && seen !== undefined && seen !== mark) throw overtaken();
    const before = await factsOf(countryId, now);
    // Whoever follows the same decision waits here for the other, and comes too late.
    const { rows } = await sql`
      insert into tax_rate (country_id, rate_thousandths, from_at, after_id) values (${countryId}, ${percent}, ${fromAt}, ${newest}) on conflict do nothing returning id
    `.execute(database());
    if (rows.length === 0) throw overtaken();
    const after = await factsOf(countryId, now);
    if (JSON.stringify(before) === JSON.stringify(after))
      throw new Failure('conflict', 'This is how it stands already.');
    const renewing = 'Memberships that renew with it';
    return {
      before: { ...before, [renewing]: null },
      after: { ...after, [renewing]: await countRenewing(countryId) },
    };
  });
  return { ...outcome, mark: preview ? mark : null };
}
