import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { importFixtures } from '@/lib/fixtures/commands';
import { database } from '@/lib/platform/database';
import { openShop } from './members';
import { openCommitments, publishTip, settleDueTips, signLedger } from './moments';
import { randomFrom } from './random-tips';
import { match, matchResult, worldNow } from './world';

const hour = 3_600_000;
const books = ['bet365', 'coral', 'pinnacle'];
const keys = ['home', 'draw', 'away'];

type Fixture = { home: string; away: string; startsAt: Date; reference: string };

const fixturesFrom = (from: Date): Fixture[] =>
  Array.from({ length: 6 }, (_, index) => {
    const [home, away] = [`North ${index + 1}`, `South ${index + 1}`];
    const startsAt = new Date(from.getTime() + (30 + 24 * index) * hour);
    return {
      home,
      away,
      startsAt,
      reference: `north-${index + 1}-v-south-${index + 1}-${startsAt.toISOString().slice(0, 10)}`,
    };
  });

/** When all tips of the followed world have been settled. */
export const followedUntil = new Date(worldNow.getTime() + 300 * hour);

async function price(fixtures: readonly Fixture[], from: Date, random: () => number): Promise<void> {
  const opened = new Date(from.getTime() - hour).toISOString();
  await importFixtures(
    fixtures.map(({ home, away, startsAt }, index) => ({
      line: index + 1,
      fixture: match(home, away, startsAt.toISOString(), {
        markets: [
          matchResult(
            home,
            away,
            opened,
            Object.fromEntries(books.map((book, place) => [book, [2200 + 10 * place, 3300, 3500 - 20 * place]])),
          ),
        ],
      }),
    })),
    'football-data',
    from,
  );
  const { rows } = await sql<{ selectionId: number; bookmakerId: number; startsAt: Date }>`
    select selection_id as "selectionId", bookmaker_id as "bookmakerId", fixture.starts_at as "startsAt" from price join selection on selection.id = selection_id join market on market.id = market_id
    join fixture on fixture.id = fixture_id where fixture.reference = any(${fixtures.map(({ reference }) => reference)}::text[]) order by 1, 2
  `.execute(database());
  const changes = rows.flatMap(({ selectionId, bookmakerId, startsAt }) =>
    Array.from({ length: 120 }, () => ({
      ...{ selectionId, bookmakerId, odds: random() < 0.25 ? null : 1800 + 10 * Math.floor(random() * 250) },
      at: new Date(from.getTime() + Math.floor(random() * (startsAt.getTime() - from.getTime() + hour))),
    })),
  );
  await sql`
    insert into price_change (selection_id, bookmaker_id, at, time_known, odds_thousandths)
    select selection_id, bookmaker_id, at, true, odds from unnest(${changes.map((row) => row.selectionId)}::int[], ${changes.map((row) => row.bookmakerId)}::int[],
      ${changes.map((row) => row.at)}::timestamptz[], ${changes.map((row) => row.odds)}::int[]) as t (selection_id, bookmaker_id, at, odds) on conflict do nothing
  `.execute(database());
}

/** A leg on a fixture at a bookmaker that offers a price then, at whichever it is; null where none does. */
async function legAt({ reference }: Fixture, key: string, at: Date) {
  const { rows } = await sql<{ selectionId: number; bookmakerId: number }>`
    select selection.id as "selectionId", price.bookmaker_id as "bookmakerId" from fixture join market on market.fixture_id = fixture.id join selection on selection.market_id = market.id
    join price on price.selection_id = selection.id
    join lateral (select odds_thousandths from price_change where selection_id = selection.id and bookmaker_id = price.bookmaker_id and at <= ${at} order by at desc limit 1) now on true
    where fixture.reference = ${reference} and selection.key = ${key} and now.odds_thousandths is not null order by price.bookmaker_id limit 1
  `.execute(database());
  return rows[0] ? { fixtureReference: reference, ...rows[0], oddsThousandths: 1001 } : null;
}

/** What the followed world holds: a public portfolio with open and hidden tips, singles and doubles. */
export type Followed = { owner: Viewer; id: number; reference: string };

/**
 * Publishes two dozen tips of one portfolio while prices move by the minute and are withdrawn and offered again, plays the matches,
 * settles the tips and signs the record; the same for the same seed.
 */
export async function fillFollowed({ name = 'ann', seed = 31, from = worldNow } = {}): Promise<Followed> {
  const random = randomFrom(seed);
  const fixtures = fixturesFrom(from);
  await price(fixtures, from, random);
  const shop = await openShop(name, { name: `${name} followed` }, from);
  const moments = Array.from(
    { length: 24 },
    (_, index) => new Date(from.getTime() + Math.round(((index + random()) * 26 * hour) / 24)),
  );
  for (const [index, at] of moments.entries()) {
    const [first, second] = [fixtures[index % fixtures.length], fixtures[(index + 1) % fixtures.length]];
    const legs = [
      first && (await legAt(first, keys[index % 3] ?? '', at)),
      index % 4 === 3 && second ? await legAt(second, keys[(index + 1) % 3] ?? '', at) : null,
    ].flatMap((leg) => leg ?? []);
    if (legs.length > 0)
      await publishTip(
        shop.owner,
        shop.reference,
        { idempotencyKey: `${index}`, legs, stakeHundredths: 50 + 25 * (index % 5), hidden: index % 5 === 0 },
        at,
      );
  }
  for (const [index, fixture] of fixtures.entries()) {
    const { home, away, startsAt } = fixture;
    // One more tip on each, so close to the start that a follower is too late for the later prices.
    const late = new Date(startsAt.getTime() - 10 * 60_000);
    const leg = await legAt(fixture, 'home', late);
    if (leg)
      await publishTip(
        shop.owner,
        shop.reference,
        { idempotencyKey: `late-${index}`, legs: [leg], stakeHundredths: 100 },
        late,
      );
    const played = new Date(startsAt.getTime() + 4 * hour);
    await openCommitments(played);
    await importFixtures(
      [
        {
          line: 1,
          fixture: match(home, away, startsAt.toISOString(), {
            result: { home: index % 3, away: (index + 1) % 2, halfTime: null },
          }),
        },
      ],
      'football-data',
      played,
    );
    while ((await settleDueTips(played)) > 0);
  }
  await settleDueTips(followedUntil);
  await signLedger(followedUntil);
  return { owner: shop.owner, id: shop.id, reference: shop.reference };
}
