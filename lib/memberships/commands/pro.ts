import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { formatDate } from '@/lib/format';
import { forget } from '@/lib/platform/cache';
import { arrayOf, database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { once } from '@/lib/platform/once';
import { lockOwnPortfolio, setPart } from '@/lib/portfolios/commands';
import { getProStanding, readCandidates, readLastSwitch, readTeam } from '../queries/pro';
import { nextSwitchAt } from '../rules/pro';
import { type ProStanding, proTeam } from '../schema/pro';

type Member = Viewer & { kind: 'member' };

function memberOf(viewer: Viewer): Member {
  requireMember(viewer);
  return viewer;
}

/** Gives the moment of the decision; the caller holds the viewer's account, whose Pro must run. */
async function requirePro({ accountId }: Member): Promise<Date> {
  const now = await decisionMoment();
  const { rows } = await sql`
    select from account where id = ${accountId}
      and (pro or exists (select from membership where account_id = account.id and portfolio_id is null and starts_at <= ${now} and ends_at > ${now}))
  `.execute(database());
  if (rows.length === 0)
    throw new Failure('forbidden', 'A team belongs to Tipledger Pro. Join it at /pro, then choose your team.');
  return now;
}

/** Takes portfolios into a team; Failure 'invalid' for one that cannot be chosen. */
async function take(accountId: number, references: readonly string[], switched: boolean, now: Date): Promise<void> {
  // Whoever leaves Pro holds its portfolio: it has left before this reads, or finds here whom to leave.
  await sql`select from portfolio where reference = any(${[...references]}::text[]) order by id for share`.execute(
    database(),
  );
  const candidates = await readCandidates(accountId);
  const ids = references.map((reference) => candidates.find((candidate) => candidate.reference === reference)?.id);
  if (ids.includes(undefined))
    throw new Failure(
      'invalid',
      'One of these portfolios cannot be chosen: it is in your team, is your own, or takes no part in Pro.',
      {
        portfolios: 'choose portfolios that take part in Pro',
      },
    );
  await sql`
    insert into pro_team (account_id, portfolio_id, joined_at, switched)
    select ${accountId}::int, id, ${now}::timestamptz, ${switched}::bool from unnest(${arrayOf(ids as number[])}::int[]) id
  `.execute(database());
}

/**
 * Product §8: fills free places of the viewer's team. The same key again is answered alike. Failure 'forbidden' without Pro, 'conflict' where
 * more are chosen than places are free, 'invalid' for a portfolio that cannot be chosen.
 */
export async function confirmTeam(
  viewer: Viewer,
  portfolios: readonly string[],
  key: string,
  now: Date,
): Promise<ProStanding> {
  const own = memberOf(viewer);
  return once({ accountId: own.accountId, key, request: ['confirm-team', portfolios] }, now, async () => {
    const at = await requirePro(own);
    const free = proTeam.places - (await readTeam(own.accountId)).length;
    if (portfolios.length > free)
      throw new Failure(
        'conflict',
        free === 0
          ? 'Your team is full. Replace one of its portfolios instead.'
          : `Your team has ${free} free ${free === 1 ? 'place' : 'places'}. Choose no more than that.`,
      );
    await take(own.accountId, portfolios, false, at);
    await forget([`account:${own.accountId}`]);
    return getProStanding(viewer, at);
  });
}

const notInTeam = () => new Failure('missing', 'This portfolio is not in your team.');

/**
 * Product §8: puts one portfolio in the place of another in the viewer's team, once a week. The same key again is answered alike. Failure
 * 'forbidden' without Pro, 'missing' for one that is not in the team, 'conflict' within a week of the last change, 'invalid' for one that cannot be chosen.
 */
export async function switchTeam(
  viewer: Viewer,
  change: { out: string; in: string },
  key: string,
  now: Date,
): Promise<ProStanding> {
  const own = memberOf(viewer);
  return once({ accountId: own.accountId, key, request: ['switch-team', change.out, change.in] }, now, async () => {
    const at = await requirePro(own);
    const leaving = (await readTeam(own.accountId)).find(({ reference }) => reference === change.out);
    if (!leaving) throw notInTeam();
    const from = nextSwitchAt(await readLastSwitch(own.accountId));
    if (from !== null && from > at)
      throw new Failure(
        'conflict',
        `You can change your team once a week. The next change is possible on ${formatDate(from.toISOString(), { timeZone: 'UTC', style: 'day-time' })} UTC.`,
      );
    await take(own.accountId, [change.in], true, at);
    const { numAffectedRows } =
      await sql`update pro_team set left_at = ${at} where id = ${leaving.id} and left_at is null`.execute(database());
    if (numAffectedRows !== 1n) throw notInTeam();
    await forget([`account:${own.accountId}`]);
    return getProStanding(viewer, at);
  });
}

/**
 * Product §8: lets the viewer's portfolio take part in Pro, or no more: who leaves is in no team from then on. Once or ten times, it is the same.
 * Failure 'missing', 'forbidden', 'conflict' as with `lockOwnPortfolio`, 'invalid' for a portfolio without a plan on sale.
 */
export async function setProPart(
  viewer: Viewer,
  reference: string,
  tipledgerPro: boolean,
  key: string,
  now: Date,
): Promise<{ tipledgerPro: boolean }> {
  const { accountId } = memberOf(viewer);
  return once({ accountId, key, request: ['pro-part', reference, tipledgerPro] }, now, async () => {
    const { id, sells } = await lockOwnPortfolio(viewer, reference);
    if (tipledgerPro && !sells)
      throw new Failure('invalid', 'Pro opens what is for members: put a plan of this portfolio on sale first.', {
        tipledgerPro: 'put a plan on sale first',
      });
    const at = await decisionMoment();
    const left = await setPart(id, tipledgerPro, at);
    await forget([
      'pro',
      'standings',
      `portfolio:${reference}`,
      `account:${accountId}`,
      ...left.map((each) => `account:${each}`),
    ]);
    return { tipledgerPro };
  });
}
