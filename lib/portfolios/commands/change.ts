import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import { isOwner } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { once } from '@/lib/platform/once';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { hasUploaded } from '@/lib/uploads/queries';
import { readPictureFile } from '@/lib/uploads/rules';
import { pictureLimits } from '@/lib/uploads/schema';
import { getManagedPortfolio, listManagedPortfolios } from '../queries/managed';
import { getPortfolio } from '../queries/portfolios';
import { nextPortfolio, whyCannotBecome } from '../rules';
import type { Abandoned, ManagedPortfolio } from '../schema/managed';
import {
  type PortfolioChange,
  portfolioChangeSchema,
  type PortfolioInput,
  portfolioInputSchema,
  type PortfolioView,
} from '../schema/portfolios';
import { createPortfolio } from './create';
import { lockOpenPortfolios } from './locks';
import { leaveTeams } from './pro-part';

function accountOf(viewer: Viewer): number {
  requireMember(viewer);
  return viewer.accountId;
}

/** Creates a portfolio as `createPortfolio` does, once for one key. Failure 'conflict' for a key that was used for something else. */
export async function openPortfolio(
  viewer: Viewer,
  given: PortfolioInput,
  key: string,
  now: Date,
): Promise<{ reference: string }> {
  const input = portfolioInputSchema.parse(given);
  return once({ accountId: accountOf(viewer), key, request: ['open-portfolio', input] }, now, async () => ({
    reference: (await createPortfolio(viewer, input, now)).reference,
  }));
}

/**
 * Changes what the viewer says of their portfolio; its reference never changes. The same key again is answered alike. Failure 'missing',
 * 'forbidden', 'invalid' for a kind that it cannot become, 'conflict' for an abandoned portfolio.
 */
export async function changePortfolio(
  viewer: Viewer,
  given: PortfolioChange,
  key: string,
  now: Date,
): Promise<ManagedPortfolio> {
  const { reference, ...change } = portfolioChangeSchema.parse(given);
  return once(
    { accountId: accountOf(viewer), key, request: ['change-portfolio', reference, change] },
    now,
    async () => {
      const { id } = await readOwn(viewer, reference);
      await lockOpenPortfolios([id]);
      const managed = await getManagedPortfolio(viewer, reference, now);
      if (change.visibility !== undefined && change.visibility !== managed.type) await refuseHeld(id);
      const why =
        change.visibility === undefined
          ? null
          : whyCannotBecome(managed.type, change.visibility, { members: managed.premiumMembers });
      if (change.picture) await refuseForeignPicture(viewer, change.picture);
      if (why) throw new Failure('invalid', `The kind of this portfolio cannot change: ${why}.`, { visibility: why });
      await sql`
      update portfolio set name = coalesce(${change.name ?? null}, name), description = coalesce(${change.description ?? null}, description),
        visibility = coalesce(${change.visibility ?? null}::smallint, visibility),
        default_tip_stake_hundredths = coalesce(${change.defaultTipStakeHundredths ?? null}::int, default_tip_stake_hundredths),
        welcome_message = coalesce(${change.welcomeMessage ?? null}, welcome_message),
        picture = case when ${change.picture !== undefined} then ${change.picture ?? null} else picture end,
        premium_welcome_message = coalesce(${change.premiumWelcomeMessage ?? null}, premium_welcome_message)
      where id = ${id}
    `.execute(database());
      // Product §8: what sells nothing any more is in no team of Pro.
      const stopsSelling =
        managed.type === PortfolioVisibility.premium && (change.visibility ?? managed.type) !== managed.type;
      const left = stopsSelling ? await leaveTeams(id, await decisionMoment()) : [];
      await forget([
        `account:${accountOf(viewer)}`,
        ...left.map((accountId) => `account:${accountId}`),
        `portfolio:${reference}`,
        'portfolios',
        'posts',
        'tips',
        'standings',
      ]);
      return getManagedPortfolio(viewer, reference, now);
    },
  );
}

/** Spec §4, §7: abandons the viewer's portfolio: its record stays, nothing new is published in it. Once or ten times, it is the same. Failure 'missing' or 'forbidden'. */
export async function abandonPortfolio(viewer: Viewer, reference: string, key: string, now: Date): Promise<Abandoned> {
  return once({ accountId: accountOf(viewer), key, request: ['abandon-portfolio', reference] }, now, async () => {
    const { id } = await readOwn(viewer, reference);
    await sql`select 1 from portfolio where id = ${id} for update`.execute(database());
    const before = (await listManagedPortfolios(viewer, now)).map((managed) => managed.reference);
    await sql`update portfolio set abandoned_at = ${now} where id = ${id} and abandoned_at is null`.execute(database());
    await forget([
      `account:${accountOf(viewer)}`,
      `portfolio:${reference}`,
      'portfolios',
      'posts',
      'tips',
      'standings',
    ]);
    return { reference, next: nextPortfolio(before, reference) };
  });
}

/** Ours (0065): a portfolio shows a picture that its owner uploaded for this, and no other. */
async function refuseForeignPicture(viewer: Viewer, file: string): Promise<void> {
  const picture = readPictureFile(file);
  const isFace = picture && picture.width <= pictureLimits.faceSide && picture.height <= pictureLimits.faceSide;
  if (isFace && (await hasUploaded(accountOf(viewer), picture.hash))) return;
  const why = 'upload the picture here first';
  throw new Failure('invalid', `This picture cannot be shown: ${why}.`, { picture: why });
}

async function refuseHeld(portfolioId: number): Promise<void> {
  const { rows } = await sql`select 1 from portfolio_hold where portfolio_id = ${portfolioId}`.execute(database());
  if (rows.length === 0) return;
  const why = 'staff hid it; write to us at /contact-us';
  throw new Failure('invalid', `The kind of this portfolio cannot change: ${why}.`, { visibility: why });
}

async function readOwn(viewer: Viewer, reference: string): Promise<PortfolioView> {
  const portfolio = await getPortfolio(viewer, reference);
  if (!isOwner(viewer, portfolio)) throw new Failure('forbidden', 'Only the owner of a portfolio manages it.');
  return portfolio;
}
