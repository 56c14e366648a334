import { sql } from 'kysely';
import { guest } from '@/lib/http/viewer';
import { database } from '@/lib/platform/database';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { listLatestTips, listTopTips } from '@/lib/tips/queries';
import { onTestDatabase, undone } from '../support/database';
import { offer, openShop } from '../support/members';
import { publishTip } from '../support/moments';
import { worldNow } from '../support/world';

onTestDatabase();

const [football, tennis] = [1, 16];
const athletic = 'athletic-v-wanderers-2026-03-10';
const start = new Date('2026-03-10T20:00:00.000Z');
const midnight = new Date('2026-03-11T00:00:00.000Z');
const at = (milliseconds: number) => new Date(worldNow.getTime() + milliseconds);

type Year = { tips?: number; yieldAdvised: number };

/** A portfolio whose past year is as given, and a tip of it on tonight's match. */
async function tipster(
  name: string,
  year: Year | null,
  {
    visibility = PortfolioVisibility.public,
    ...more
  }: { visibility?: PortfolioVisibility; hidden?: boolean; free?: boolean } = {},
): Promise<string> {
  const { owner, reference, id } = await openShop(name, { name: `${name} tips`, visibility }, worldNow);
  const { tips = 60, yieldAdvised = 0 } = year ?? {};
  if (year) {
    await sql`
      insert into portfolio_standing (portfolio_id, sport_id, period, as_of, tips, won, profit_advised, yield_advised, drawdown_advised, profit_level, drawdown_level, summary)
      values (${id}, 0, 5, '2026-03-10', ${tips}, 30, 1, ${yieldAdvised}, 1, 1, 1, ${JSON.stringify({ name })})
    `.execute(database());
  }
  const tip = await publishTip(
    owner,
    reference,
    {
      idempotencyKey: name,
      legs: [await offer(athletic, 'match-result', 'home', 'bet365')],
      stakeHundredths: 100,
      ...more,
    },
    worldNow,
  );
  return tip.reference;
}

const top = async (now = at(1)) =>
  (await listTopTips(guest(), { until: midnight, limit: 5 }, now)).map(({ tip }) => tip.reference);

describe('today’s top tips', () => {
  test(
    'are the open ones of those with the best year, which is given with each',
    undone(async () => {
      const [good, better] = [await tipster('good', { yieldAdvised: 4 }), await tipster('better', { yieldAdvised: 9 })];
      expect(await top()).toEqual([better, good]);
      expect((await listTopTips(guest(), { until: midnight, limit: 1 }, at(1))).map(({ year }) => year)).toEqual([
        { name: 'better' },
      ]);
    }),
  );

  test(
    'leave out a year that is too short, lost or missing, and what a guest may not read or find',
    undone(async () => {
      await tipster('short', { tips: 44, yieldAdvised: 50 });
      await tipster('losing', { yieldAdvised: -1 });
      await tipster('fresh', null);
      await tipster('secret', { yieldAdvised: 50 }, { hidden: true });
      await tipster('sealed', { yieldAdvised: 50 }, { visibility: PortfolioVisibility.premium, free: false });
      await tipster('unlisted', { yieldAdvised: 50 }, { visibility: PortfolioVisibility.hidden });
      await tipster('alone', { yieldAdvised: 50 }, { visibility: PortfolioVisibility.personal });
      const open = await tipster('open', { yieldAdvised: 1 }, { visibility: PortfolioVisibility.premium, free: true });
      expect(await top()).toEqual([open]);
    }),
  );

  test(
    'of a sport are those with a leg of it',
    undone(async () => {
      const tip = await tipster('good', { yieldAdvised: 4 });
      const ofSport = async (sportId: number) =>
        (await listTopTips(guest(), { until: midnight, limit: 5, sportId }, at(1))).map(
          ({ tip: { reference } }) => reference,
        );
      expect([await ofSport(football), await ofSport(tennis)]).toEqual([[tip], []]);
    }),
  );

  test(
    'are gone at the start, also for those who asked a second before',
    undone(async () => {
      const tip = await tipster('good', { yieldAdvised: 4 });
      expect([await top(new Date(start.getTime() - 1)), await top(start)]).toEqual([[tip], []]);
    }),
  );
});

describe('the latest tips', () => {
  test(
    'are those of portfolios that anybody may find, newest first, what is locked without its legs',
    undone(async () => {
      await tipster('alone', null, { visibility: PortfolioVisibility.personal });
      await tipster('unlisted', null, { visibility: PortfolioVisibility.hidden });
      const sealed = await tipster('sealed', null, { visibility: PortfolioVisibility.premium, free: false });
      const open = await tipster('open', null);
      const latest = await listLatestTips(guest(), 5, at(1));
      expect(latest.map(({ reference, legs, lock }) => [reference, legs.length, lock])).toEqual([
        [open, 1, null],
        [sealed, 0, 'members'],
      ]);
    }),
  );
});
