import 'server-only';
import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { previewBets, resettlePlayedBets, retryBetsNow } from '@/lib/bets/commands';
import { type CorrectedFixture, correctFixture, type FixtureByStaff } from '@/lib/fixtures/commands';
import { isResultNews } from '@/lib/fixtures/queries';
import { previewGuarantees } from '@/lib/memberships/queries';
import { previewNews, type WouldTell } from '@/lib/notifications/commands';
import {
  previewFixture,
  type PreviewedTip,
  previewRuling,
  resettlePlayed,
  retryTipsNow,
  ruleOnTip,
  type TipByStaff,
  type TipState,
} from '@/lib/settlement/commands';
import { throughEach } from '@/lib/platform/batches';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { decisionMoment } from '@/lib/platform/moment';
import { previewRecords } from '@/lib/stats/queries';
import { sealedLegView } from '@/lib/tips/rules';
import type { StaffFacts } from '@/lib/staff/schema';
import { listPortfolioNames } from './queries';
import { changedFigures } from './rules';
import { type Effects, previewLimits, type RulingOutcome } from './schema';

const state = (of: TipState | null) =>
  of && { outcome: of.outcome, profitHundredths: Math.round(Number(of.profitMicrounits) / 10_000) };

/** What a tip is on, in the words of its page: by what was sealed, whatever became of its fixtures since. */
const betOf = ({ publication }: PreviewedTip['tip']) =>
  publication.legs
    .map(sealedLegView)
    .map(({ bet, fixtureName }) => (bet.includes(fixtureName) ? bet : `${bet}, ${fixtureName}`))
    .join('; ');

/** What becomes of everything about these tips; nothing is held or written. */
async function effectsOf(previewed: readonly PreviewedTip[], now: Date, watched: WouldTell[] = []): Promise<Effects> {
  const changed = previewed.filter(({ settled, toCome }) => settled !== null || toCome !== null);
  const settled = previewed.flatMap((each) => each.settled ?? []);
  const records = (
    await previewRecords(
      settled.map(({ counted }) => counted),
      now,
    )
  ).filter(({ before, after }) => changedFigures(before, after).length > 0);
  const guarantees = await previewGuarantees(settled.map(({ version: { bet, facts } }) => ({ ...bet, facts })));
  const named = changed.slice(0, previewLimits.namedTips);
  const portfolios = await listPortfolioNames([
    ...[...records, ...guarantees].map(({ portfolioId }) => portfolioId),
    ...named.map(({ tip }) => tip.portfolioId),
  ]);
  const portfolioOf = (id: number) => portfolios.get(id) ?? { portfolio: '', name: '' };
  const news = settled.flatMap(({ version: { bet } }): WouldTell[] =>
    bet.isRecorded
      ? [
          {
            kind: bet.settledVersion === 0 ? 'settlement' : 'correction',
            count: 1,
            portfolioId: bet.portfolioId,
          },
        ]
      : [],
  );
  const stays = previewed.filter((each) => each.settled === null && each.toCome === null);
  return {
    tips: named.map(({ tip, before, after, toCome }) => ({
      reference: tip.reference,
      portfolio: tip.portfolioReference,
      portfolioName: portfolioOf(tip.portfolioId).name,
      bet: betOf(tip),
      before: state(before),
      after: state(after),
      toCome,
    })),
    records: records.slice(0, previewLimits.namedRecords).map(({ portfolioId, before, after }) => ({
      ...portfolioOf(portfolioId),
      figures: changedFigures(before, after),
    })),
    bets: [],
    guarantees: guarantees.map(({ portfolioId, missed, kept }) => ({ ...portfolioOf(portfolioId), missed, kept })),
    news: await previewNews([...news, ...watched], now),
    stay: {
      same: stays.filter(({ before, isByStaff }) => before !== null && !isByStaff).length,
      open: stays.filter(({ before }) => before === null).length,
      byStaff: stays.filter(({ isByStaff }) => isByStaff).length,
    },
    left: {
      tips: changed.length - named.length,
      records: Math.max(0, records.length - previewLimits.namedRecords),
    },
    notLooked: { tips: 0, bets: 0 },
  };
}

type PreviewedEffects = { effects: Effects; states: unknown };

async function effectsOnFixture(
  { fixtureId, version, tips, bets }: CorrectedFixture,
  now: Date,
): Promise<PreviewedEffects> {
  const watched: WouldTell[] =
    version !== null && (await isResultNews(fixtureId, version))
      ? [{ kind: 'fixture-result', count: 1, fixtureId }]
      : [];
  const previewed = await previewFixture(fixtureId, now, previewLimits.tips);
  const effects = {
    ...(await effectsOf(previewed, now, watched)),
    bets: await previewBets(fixtureId, now, previewLimits.bets),
    notLooked: {
      tips: Math.max(0, tips - previewLimits.tips),
      bets: Math.max(0, bets - previewLimits.bets),
    },
  };
  return { effects, states: previewed.map(({ tip, before, after, toCome }) => [tip.reference, before, after, toCome]) };
}

const resultVersion = 'version of the result';
const putsOff: readonly string[] = ['fixture.start', 'fixture.postpone'];

/**
 * Product §4: has what waits for the results of these fixtures be settled by the next jobs, however long it was to wait. Where it fails, which is
 * logged, what waits is settled later.
 */
export async function hastenSettlement(fixtureReferences: readonly string[], now: Date): Promise<void> {
  if (fixtureReferences.length === 0) return;
  try {
    await retryTipsNow(fixtureReferences, now);
    await retryBetsNow(fixtureReferences, now);
  } catch (error) {
    log.warn({ event: 'settlement_not_hastened', fixtures: fixtureReferences, err: error });
  }
}

/** Whether a fixture has got its first result whose tips or bets were settled without one. */
export const arePlayed = (): RawBuilder<boolean> => sql<boolean>`exists (select from played_due)`;

/**
 * Settlement §2: settles anew the tips and bets that were settled while a fixture had no result that has one now: a postponed one that was played
 * inside the window after all. A fixture with a bet that cannot be settled is tried again. Returns how many fixtures it looked at; safe to run twice or at once.
 */
export async function resettlePlayedFixtures(now: Date): Promise<number> {
  return throughEach(
    async (after) => {
      const { rows } = await sql<{ id: number; reference: string }>`
        select id, reference from played_due join fixture on fixture.id = fixture_id where id > ${after} order by id limit 100
      `.execute(database());
      return rows;
    },
    async ({ id, reference }) => {
      await resettlePlayed(reference, now);
      if (await resettlePlayedBets(reference, now))
        await sql`delete from played_due where fixture_id = ${id}`.execute(database());
    },
    ({ reference }, error) => log.error({ event: 'settlement_failed', fixture: reference, err: error }),
  );
}

const markOf = (what: unknown) => createHash('sha256').update(JSON.stringify(what)).digest('hex');

const overtaken = () =>
  new Failure(
    'conflict',
    'Something changed since this was shown, so it would do something else now. Nothing was done: look at what changes again, then confirm it.',
  );

/**
 * Product §11, spec §2.5: staff correct a fixture (`correctFixture`); done with the mark of its preview it does what was shown, or is refused with 'conflict'. Its preview says what becomes of each tip, record, bet, guarantee and
 * reader that it touches, by the rules that settle them afterwards; what waits for the fixture is settled by the next jobs.
 */
export async function orderCorrection(order: FixtureByStaff): Promise<RulingOutcome> {
  const { action, preview, seen } = order.correction;
  let previewed: PreviewedEffects | null = null;
  let mark: string | null = null;
  const outcome = await correctFixture(order, async (corrected, now) => {
    if (!preview && seen === undefined) return;
    const { before, after } = corrected;
    previewed = action === 'fixture.status' ? null : await effectsOnFixture(corrected, now);
    // What others do to records and to followers all the time is shown, and asks for no other look.
    const { bets, guarantees } = previewed?.effects ?? {};
    mark = markOf({ before, after, states: previewed?.states, bets, guarantees });
    if (!preview && seen !== mark) throw overtaken();
  });
  const effects = preview ? ((previewed as PreviewedEffects | null)?.effects ?? null) : null;
  if (outcome.entry !== null) {
    const now = await decisionMoment();
    const hasOther = outcome.before[resultVersion] !== outcome.after[resultVersion];
    const wasDue = (start: unknown) => typeof start === 'string' && new Date(start) <= now;
    // Behind the correction, so that nobody who settles waits for it.
    if (hasOther || (putsOff.includes(action) && wasDue(outcome.before['start'])))
      await hastenSettlement([order.reference], now);
  }
  return { ...outcome, effects, mark: preview ? mark : null };
}

const ownState = (facts: StaffFacts) =>
  ['version of the settlement', 'outcome', 'profit of the tip (units)'].map((name) => facts[name] ?? null);

/** Product §11: staff void a tip or settle it anew (`ruleOnTip`); done with the mark of its preview it does what was shown, or is refused with 'conflict'. Its preview says what becomes of what it touches. */
export async function orderRuling({
  seen,
  ...order
}: TipByStaff & { seen?: string | undefined }): Promise<RulingOutcome> {
  let effects: Effects | null = null;
  let mark: string | null = null;
  const outcome = await ruleOnTip(order, {
    look: async (now) => {
      const previewed = await previewRuling(order.reference, order.action, now);
      effects = previewed && (await effectsOf([previewed], now));
    },
    check: (before, after) => {
      mark = markOf([before, after].map(ownState));
      if (!order.preview && seen !== undefined && seen !== mark) throw overtaken();
    },
  });
  return { ...outcome, effects, mark: order.preview ? mark : null };
}
