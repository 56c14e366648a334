import 'server-only';
import { foreseeBets, hastenBets } from '@/lib/bets/commands';
import { type CorrectedFixture, correctFixture, type FixtureByStaff } from '@/lib/fixtures/commands';
import { isFixtureWatched } from '@/lib/fixtures/queries';
import { foreseeGuarantees } from '@/lib/memberships/queries';
import { foreseeNews, type WouldTell } from '@/lib/notifications/commands';
import {
  foreseeFixture,
  type ForeseenTip,
  foreseeRuling,
  hastenTips,
  ruleOnTip,
  type TipByStaff,
  type TipState,
} from '@/lib/settlement/commands';
import { log } from '@/lib/platform/log';
import { decisionMoment } from '@/lib/platform/moment';
import { foreseeRecords } from '@/lib/stats/queries';
import { listTouchedTips } from './queries';
import { changedFigures } from './rules';
import { type Effects, foreseenLimits, type RulingOutcome } from './schema';

const state = (of: TipState | null) =>
  of && { outcome: of.outcome, profitHundredths: Math.round(Number(of.profitMicrounits) / 10_000) };

/** What becomes of everything about these tips; nothing is held or written. */
async function effectsOf(foreseen: readonly ForeseenTip[], now: Date, watched: WouldTell[] = []): Promise<Effects> {
  const changed = foreseen.filter(({ settled, toCome }) => settled !== null || toCome !== null);
  const settled = foreseen.flatMap((each) => each.settled ?? []);
  const records = (
    await foreseeRecords(
      settled.map(({ counted }) => counted),
      now,
    )
  ).filter(({ before, after }) => changedFigures(before, after).length > 0);
  const guarantees = await foreseeGuarantees(settled.map(({ version: { bet, facts } }) => ({ ...bet, facts })));
  const named = changed.slice(0, foreseenLimits.namedTips);
  const { bets, portfolios } = await listTouchedTips(
    named.map(({ tip }) => tip.tipId),
    [...records, ...guarantees].map(({ portfolioId }) => portfolioId),
  );
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
  const stays = foreseen.filter((each) => each.settled === null && each.toCome === null);
  return {
    tips: named.map(({ tip, before, after, toCome }) => ({
      reference: tip.reference,
      portfolio: tip.portfolioReference,
      portfolioName: bets.get(tip.tipId)?.portfolioName ?? '',
      bet: bets.get(tip.tipId)?.bet ?? '',
      before: state(before),
      after: state(after),
      toCome,
    })),
    records: records.slice(0, foreseenLimits.namedRecords).map(({ portfolioId, before, after }) => ({
      ...portfolioOf(portfolioId),
      figures: changedFigures(before, after),
    })),
    bets: [],
    guarantees: guarantees.map(({ portfolioId, missed, kept }) => ({ ...portfolioOf(portfolioId), missed, kept })),
    news: await foreseeNews([...news, ...watched], now),
    stay: {
      same: stays.filter(({ before, isByStaff }) => before !== null && !isByStaff).length,
      open: stays.filter(({ before }) => before === null).length,
      byStaff: stays.filter(({ isByStaff }) => isByStaff).length,
    },
    left: {
      tips: changed.length - named.length,
      records: Math.max(0, records.length - foreseenLimits.namedRecords),
    },
    notLooked: { tips: 0, bets: 0 },
  };
}

async function effectsOnFixture({ fixtureId, version, tips, bets }: CorrectedFixture, now: Date): Promise<Effects> {
  const watched: WouldTell[] =
    version !== null && (await isFixtureWatched(fixtureId)) ? [{ kind: 'fixture-result', count: 1, fixtureId }] : [];
  const effects = await effectsOf(await foreseeFixture(fixtureId, now, foreseenLimits.tips), now, watched);
  return {
    ...effects,
    bets: await foreseeBets(fixtureId, now, foreseenLimits.bets),
    notLooked: {
      tips: Math.max(0, tips - foreseenLimits.tips),
      bets: Math.max(0, bets - foreseenLimits.bets),
    },
  };
}

const entersResult: readonly string[] = ['fixture.score', 'fixture.placings', 'fixture.abandon'];

/**
 * Product §11, spec §2.5: staff correct a fixture (`correctFixture`); its preview says what becomes of each tip, record, bet, guarantee and
 * reader that it touches, by the rules that settle them afterwards; what waits for the fixture is settled by the next jobs.
 */
export async function orderCorrection(order: FixtureByStaff): Promise<RulingOutcome> {
  let effects: Effects | null = null;
  const outcome = await correctFixture(order, async (corrected, now) => {
    effects = order.correction.action === 'fixture.status' ? null : await effectsOnFixture(corrected, now);
  });
  if (outcome.entry !== null && entersResult.includes(order.correction.action)) {
    // Behind the correction, so that nobody who settles waits for it; where it fails, what waits is settled later.
    try {
      const now = await decisionMoment();
      await hastenTips(order.reference, now);
      await hastenBets(order.reference, now);
    } catch (error) {
      log.warn({ event: 'settlement_not_hastened', fixture: order.reference, err: error });
    }
  }
  return { ...outcome, effects };
}

/** Product §11: staff void a tip or settle it anew (`ruleOnTip`); its preview says what becomes of what it touches. */
export async function orderRuling(order: TipByStaff): Promise<RulingOutcome> {
  let effects: Effects | null = null;
  const outcome = await ruleOnTip(order, async (now) => {
    const foreseen = await foreseeRuling(order.reference, order.action, now);
    effects = foreseen && (await effectsOf([foreseen], now));
  });
  return { ...outcome, effects };
}
