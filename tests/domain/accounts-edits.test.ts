import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import {
  changeFollowStake,
  changeSettings,
  deleteAccount,
  followPortfolio,
  unfollowPortfolio,
} from '@/lib/accounts/commands';
import { getUser, listFollowing } from '@/lib/accounts/queries';
import { database } from '@/lib/platform/database';
import { isFailure } from '@/lib/platform/errors';
import { pruneNamedWrites } from '@/lib/platform/once';
import { abandonPortfolio, openPortfolio } from '@/lib/portfolios/commands';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { onTestDatabase } from '../support/database';
import { join, openShop } from '../support/members';
import { worldNow } from '../support/world';

onTestDatabase();

const after = (seconds: number) => new Date(worldNow.getTime() + seconds * 1000);
const monthSeconds = 30 * 86_400;
const stakeOf = async (viewer: Viewer) => (await getUser(viewer, worldNow)).settings.maxStake;
const kindOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isFailure(error) ? error.kind : String(error)),
  );

let ann: Awaited<ReturnType<typeof openShop>>;

beforeAll(async () => {
  ann = await openShop('ann', { name: 'Ann Football' }, worldNow);
  await openShop('old', { name: 'Old hand' }, worldNow);
});

describe('an edit whose answer was lost, sent again under its key', () => {
  test('of settings is answered as at first and does not undo what another device changed meanwhile', async () => {
    const bob = await join('bob', worldNow);
    const first = await changeSettings(bob, { maxStake: 5 }, worldNow, 'train');
    expect(first.settings.maxStake).toBe(5);
    await changeSettings(bob, { maxStake: 8 }, after(60), 'at-home');
    expect(await changeSettings(bob, { maxStake: 5 }, after(120), 'train')).toEqual(first);
    expect(await stakeOf(bob)).toBe(8);
  });

  test('of a follow does not bring back what was unfollowed elsewhere, nor does an unfollow end a new follow', async () => {
    const cat = await join('cat', worldNow);
    const entry = await followPortfolio(cat, ann.reference, undefined, worldNow, 'follow');
    await unfollowPortfolio(cat, ann.reference, after(60), 'unfollow');
    expect(await followPortfolio(cat, ann.reference, undefined, after(120), 'follow')).toEqual(entry);
    expect(await listFollowing(cat)).toEqual([]);
    await followPortfolio(cat, ann.reference, 3, after(180));
    await unfollowPortfolio(cat, ann.reference, after(240), 'unfollow');
    expect(await listFollowing(cat)).toEqual([{ portfolioReference: ann.reference, maxStake: 3 }]);
  });

  test('of a max stake leaves the later one, also when the tipster is followed no longer', async () => {
    const dan = await join('dan', worldNow);
    await followPortfolio(dan, ann.reference, undefined, worldNow);
    const first = await changeFollowStake(dan, ann.reference, 2, worldNow, 'stake');
    await changeFollowStake(dan, ann.reference, 4, after(60), 'later');
    expect(await changeFollowStake(dan, ann.reference, 2, after(120), 'stake')).toEqual(first);
    expect(await listFollowing(dan)).toEqual([{ portfolioReference: ann.reference, maxStake: 4 }]);
    await unfollowPortfolio(dan, ann.reference, after(180));
    expect(await changeFollowStake(dan, ann.reference, 2, after(240), 'stake')).toEqual(first);
  });

  test('of a follow is answered as at first although the portfolio was abandoned since', async () => {
    const eve = await join('eve', worldNow);
    const entry = await followPortfolio(eve, 'old-hand', 1, worldNow, 'follow');
    await sql`update portfolio set abandoned_at = ${after(60)} where reference = 'old-hand'`.execute(database());
    expect(await followPortfolio(eve, 'old-hand', 1, after(120), 'follow')).toEqual(entry);
    expect(await kindOf(followPortfolio(eve, 'old-hand', 1, after(120), 'another'))).toBe('conflict');
  });

  test('ten times at once is done once', async () => {
    const fay = await join('fay', worldNow);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => followPortfolio(fay, ann.reference, 6, worldNow, 'burst')),
    );
    expect(answers).toEqual(Array.from({ length: 10 }, () => ({ portfolioReference: ann.reference, maxStake: 6 })));
    expect(await listFollowing(fay)).toEqual([{ portfolioReference: ann.reference, maxStake: 6 }]);
  });
});

describe('the key of an edit', () => {
  test('belongs to one request of one member: another request is refused and changes nothing, another member is not concerned', async () => {
    const [gil, hal] = [await join('gil', worldNow), await join('hal', worldNow)];
    await changeSettings(gil, { maxStake: 5 }, worldNow, 'one');
    expect(await kindOf(changeSettings(gil, { maxStake: 6 }, worldNow, 'one'))).toBe('conflict');
    expect(await kindOf(unfollowPortfolio(gil, ann.reference, worldNow, 'one'))).toBe('conflict');
    expect(await stakeOf(gil)).toBe(5);
    expect((await changeSettings(hal, { maxStake: 6 }, worldNow, 'one')).settings.maxStake).toBe(6);
  });

  test('of an edit that was refused is free, so that the edit can be taken later', async () => {
    const ida = await join('ida', worldNow);
    expect(await kindOf(changeFollowStake(ida, ann.reference, 2, worldNow, 'stake'))).toBe('missing');
    await followPortfolio(ida, ann.reference, undefined, worldNow);
    expect(await changeFollowStake(ida, ann.reference, 2, worldNow, 'stake')).toMatchObject({ maxStake: 2 });
  });

  test('is kept for thirty days, then swept away', async () => {
    const jon = await join('jon', worldNow);
    const keys = async () =>
      (await sql`select 1 from named_write where account_id = ${jon.accountId}`.execute(database())).rows.length;
    await changeSettings(jon, { maxStake: 5 }, worldNow, 'one');
    await pruneNamedWrites(after(monthSeconds));
    expect(await keys()).toBe(1);
    await pruneNamedWrites(after(monthSeconds + 1));
    expect(await keys()).toBe(0);
  });

  test('is not needed: an edit without one is done each time', async () => {
    const kim = await join('kim', worldNow);
    for (const maxStake of [5, 8, 5]) await changeSettings(kim, { maxStake }, worldNow);
    expect(await stakeOf(kim)).toBe(5);
  });

  test('is gone with the account', async () => {
    const lou = await openShop('lou', { name: 'Lou Tennis' }, worldNow);
    await abandonPortfolio(lou.owner, lou.reference, 'abandon', worldNow);
    await changeSettings(lou.owner, { maxStake: 5 }, worldNow, 'one');
    await deleteAccount(lou.owner, worldNow);
    const { rows } =
      await sql`select 1 from named_write where account_id = ${lou.owner.kind === 'member' ? lou.owner.accountId : 0}`.execute(
        database(),
      );
    expect(rows).toEqual([]);
  });
});

test('twenty portfolios opened at once under keys of their own are all opened or refused by their number, and nobody waits in a ring', async () => {
  const eve = await join('parallel-eve', worldNow);
  const inPlace = Date.now();
  const opened = await Promise.all(
    Array.from({ length: 24 }, (_, number) =>
      kindOf(
        openPortfolio(
          eve,
          { name: `Eve ${number}`, visibility: PortfolioVisibility.public },
          `open-${number}`,
          worldNow,
        ),
      ),
    ),
  );
  expect(opened.filter((kind) => kind === 'done')).toHaveLength(20);
  expect(opened.filter((kind) => kind === 'conflict')).toHaveLength(4);
  expect(Date.now() - inPlace).toBeLessThan(10_000);
});

test('writes of every kind by one account at once, under different keys and the same ones, all end without an error of the database', async () => {
  const fay = await join('parallel-fay', worldNow);
  const writes = Array.from({ length: 8 }, (_, round) => [
    () => changeSettings(fay, { maxStake: round + 1 }, worldNow, `settings-${round % 4}`),
    () => followPortfolio(fay, ann.reference, round + 1, worldNow, `follow-${round % 4}`),
    () => changeFollowStake(fay, ann.reference, round + 2, worldNow, `stake-${round % 4}`),
    () => unfollowPortfolio(fay, ann.reference, worldNow, `unfollow-${round % 4}`),
    () =>
      openPortfolio(
        fay,
        { name: `Fay ${round}`, visibility: PortfolioVisibility.public },
        `portfolio-${round}`,
        worldNow,
      ),
  ]).flat();
  const kinds = await Promise.all(writes.map((write) => kindOf(write())));
  expect(kinds.filter((kind) => !['done', 'conflict', 'missing'].includes(kind))).toEqual([]);
});
