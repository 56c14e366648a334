import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { act } from '@/lib/staff/commands';
import type { StaffFacts, StaffOrder, StaffOutcome } from '@/lib/staff/schema';
import { resettleTip, voidTip } from './staff';

/** What staff order about a tip. */
export type TipByStaff = { staff: Viewer; reference: string; action: 'tip.void' | 'tip.settle' } & StaffOrder;

type State = {
  version: number | null;
  outcome: string | null;
  profit: number | null;
  settled: number;
  total: number;
  bets: number;
  members: number;
};

const units = (microunits: number | null) => (microunits === null ? null : Math.round(microunits / 10_000) / 100);

async function stateOf(reference: string): Promise<StaffFacts> {
  const { rows } = await sql<State>`
    select last.version, last.outcome, last.profit_microunits::float8 as profit,
      (select count(*)::int from bet where tip_id = tip.id) as bets,
      (select count(*)::int from membership where portfolio_id = tip.portfolio_id and ended_at is null and plan_id is not null) as members, whole.settled, whole.total
    from tip
    left join lateral (select version, outcome, profit_microunits from tip_settlement where tip_id = tip.id order by version desc limit 1) last on true
    cross join lateral (
      select count(*) filter (where staked_hundredths > 0)::int as settled, coalesce(sum(profit_microunits), 0)::float8 as total from (
        select distinct on (tip_id) staked_hundredths, profit_microunits from tip_settlement join tip other on other.id = tip_id
        where other.portfolio_id = tip.portfolio_id order by tip_id, version desc) latest) whole
    where tip.reference = ${reference}
  `.execute(database());
  const [state] = rows;
  if (!state) throw new Failure('missing', 'There is no such tip.');
  return {
    'version of the settlement': state.version,
    outcome: state.outcome ?? 'open',
    'profit of the tip (units)': units(state.profit),
    'settled tips of the portfolio that count': state.settled,
    'profit of the portfolio (units)': units(state.total),
    'bets of members on the tip': state.bets,
    'memberships of the portfolio that run': state.members,
  };
}

/**
 * Product §11: staff void a tip, or settle it anew by its results; before and after say what of the portfolio's record changes. Members' own bets
 * on it are settled by the results of their fixtures and stay as they are. A preview has a `look` before anything is held; `check` sees both once it is done, and what it throws undoes it. Refuses as `act`, `voidTip` and `resettleTip`.
 */
export async function ruleOnTip(
  { staff, reference, action, reason, preview }: TipByStaff,
  {
    look,
    check,
  }: { look?: (now: Date) => Promise<void>; check?: (before: StaffFacts, after: StaffFacts) => void } = {},
): Promise<StaffOutcome> {
  const why = preview && reason.trim().length < 3 ? 'A preview.' : reason;
  const owner = await sql<{ id: number }>`
    select owner_id as id from portfolio join tip on portfolio_id = portfolio.id where tip.reference = ${reference}
  `.execute(database());
  const accounts = owner.rows.map(({ id }) => id);
  return act({ staff, action, subject: { kind: 'tip', id: reference }, accounts, reason, preview }, async () => {
    const before = await stateOf(reference);
    if (preview) await look?.(await decisionMoment());
    if (action === 'tip.void') await voidTip(staff, reference, why);
    else await resettleTip(staff, reference, why, await decisionMoment());
    const after = await stateOf(reference);
    check?.(before, after);
    return { before, after };
  });
}
