import 'server-only';
import { sql } from 'kysely';
import { arrayOf, database } from '@/lib/platform/database';
import { mapInTurns } from '@/lib/platform/turns';
import type { OwnedSettledTip } from '@/lib/stats/queries';
import { readSettlingTips, type SettlingTip } from '../queries/legs';
import { readAnnounced } from '../queries/announced';
import { decideTip, voidTip as returnStake } from '../rules/tip';
import { whatIsToCome } from '../rules/to-come';
import { asCounted, atBothStakes, byResult, type FactualVersion, type SettledVersion, withFacts } from './versions';

/** What a settled tip comes to: its outcome, and its profit in microunits. */
export type TipState = { outcome: string; profitMicrounits: string };

/** What becomes of a tip: null before or after while it is open. What is `settled` stands where it changes, with what statistics would count; `toCome` says what waits for it while it is open. */
export type PreviewedTip = {
  tip: SettlingTip;
  before: TipState | null;
  after: TipState | null;
  settled: { version: FactualVersion; counted: OwnedSettledTip } | null;
  isByStaff: boolean;
  toCome: string | null;
};

type Known = TipState & { tipId: number; isByStaff: boolean; ordinal: number; settledAt: Date };

async function readKnown(tipIds: readonly number[]): Promise<Map<number, Known>> {
  const { rows } = await sql<Known>`
    select first.tip_id as "tipId", latest.outcome, latest.profit_microunits::text as "profitMicrounits", latest.actor <> 'system' as "isByStaff", first.ordinal, first.settled_at as "settledAt"
    from tip_settlement first join lateral (select * from tip_settlement where tip_id = first.tip_id order by version desc limit 1) latest on true
    where first.version = 1 and first.tip_id = any(${arrayOf(tipIds)}::int[])
  `.execute(database());
  return new Map(rows.map((row) => [row.tipId, row]));
}

type Judged = Omit<PreviewedTip, 'settled'> & { settled: SettledVersion | null };

async function previewTips(
  judged: readonly Judged[],
  known: ReadonlyMap<number, Known>,
  now: Date,
): Promise<PreviewedTip[]> {
  const versions = await withFacts(
    judged.flatMap(({ settled }) => settled ?? []),
    null,
  );
  const counted = await asCounted(versions, now, known);
  const made = new Map(
    versions.flatMap((version, index) => {
      const own = counted[index];
      return own ? [[version.bet.tipId, { version, counted: own }] as const] : [];
    }),
  );
  return judged.map((each) => ({ ...each, settled: (each.settled && made.get(each.tip.tipId)) ?? null }));
}

const stateOf = ({ settlement: { outcome, profitMicrounits } }: SettledVersion): TipState => ({
  outcome,
  profitMicrounits,
});

const stateIn = ({ outcome, profitMicrounits }: Known): TipState => ({ outcome, profitMicrounits });

const sealedText = 'Sealed until its first start. It is settled once it is open.';

/**
 * Product §11: what becomes of the tips on a fixture by what is known of it now, in the order of their ids, so many at most: as `settleDueTips` and
 * `resettleCorrected` would settle them, by the same rules. It holds nothing and writes nothing; called in the transaction of a correction, it tells of that.
 */
export async function previewFixture(fixtureId: number, now: Date, most: number): Promise<PreviewedTip[]> {
  const { rows } = await sql<{ tipId: number }>`
    select distinct tip_id as "tipId" from tip_leg where fixture_id = ${fixtureId} order by tip_id limit ${most}
  `.execute(database());
  const tips = await readSettlingTips(rows.map(({ tipId }) => tipId));
  const known = await readKnown(tips.map(({ tipId }) => tipId));
  const announced = await readAnnounced(fixtureId);
  const judged = await mapInTurns(tips, (tip): Judged => {
    const last = known.get(tip.tipId);
    const isByStaff = last?.isByStaff ?? false;
    const before = last ? stateIn(last) : null;
    const version = isByStaff || tip.isSealed ? null : byResult(tip, now);
    const after = version ? stateOf(version) : before;
    const isChanged = after?.outcome !== before?.outcome || after?.profitMicrounits !== before?.profitMicrounits;
    const decided = decideTip(tip.input, now);
    const leg = tip.legs.findIndex((each) => each.fixtureId === fixtureId);
    return {
      tip,
      before,
      after,
      settled: isChanged ? version : null,
      isByStaff,
      toCome:
        tip.isSealed && decided.kind === 'decided'
          ? sealedText
          : decided.kind === 'undecided' && !isByStaff
            ? whatIsToCome(tip.input.legs[leg], decided.legs[leg], announced, before !== null)
            : null,
    };
  });
  return previewTips(judged, known, now);
}

/** Product §11: what becomes of a tip that staff void, or settle anew by its results as they are known now; null where there is no such tip, its commitment is closed, or its results decide nothing yet. Holds and writes nothing. */
export async function previewRuling(
  tipReference: string,
  action: 'tip.void' | 'tip.settle',
  now: Date,
): Promise<PreviewedTip | null> {
  const { rows } = await sql<{ id: number }>`select id from tip where reference = ${tipReference}`.execute(database());
  const [tip] = await readSettlingTips(rows.map(({ id }) => id));
  const version =
    tip &&
    !tip.isSealed &&
    (action === 'tip.void' ? atBothStakes(tip, returnStake(tip.input, 'Voided by staff.')) : byResult(tip, now));
  if (!version) return null;
  const known = await readKnown([tip.tipId]);
  const last = known.get(tip.tipId);
  const judged = {
    tip,
    before: last ? stateIn(last) : null,
    after: stateOf(version),
    settled: version,
    isByStaff: false,
    toCome: null,
  };
  return (await previewTips([judged], known, now))[0] ?? null;
}
