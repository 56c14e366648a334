import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { deleteAccount } from '@/lib/accounts/commands';
import { placeBet, removeBet } from '@/lib/bets/commands';
import { removeAutobetRule, setAutobetRule } from '@/lib/bets/commands';
import { getAutobetTotals, listAutobets, listBets } from '@/lib/bets/queries';
import { type AutobetRuleInput, betFilterSchema } from '@/lib/bets/schema';
import { importFixtures } from '@/lib/fixtures/commands';
import { runnerKey } from '@/lib/fixtures/rules';
import { placeAutobets } from '@/lib/jobs/autobets';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { countries, CurrencyId, idempotencyKeySchema, PortfolioVisibility } from '@/lib/reference/schema';
import type { TipInput } from '@/lib/tips/schema';
import { runRace } from '../support/bets';
import { asOwner, onOwnConnection, onTestDatabase, undone } from '../support/database';
import { join, offer, openShop, sellMonthly } from '../support/members';
import { publishTip } from '../support/moments';
import { match, matchResult, worldNow } from '../support/world';

onTestDatabase();

const city = 'city-v-rovers-2026-03-14';
const athletic = 'athletic-v-wanderers-2026-03-10';
const rule: AutobetRuleInput = { enabled: true, unitMinor: 1_000, mostMinor: 5_000, currencyId: CurrencyId.GBP };
const after = (seconds: number) => new Date(worldNow.getTime() + seconds * 1000);

let turn = 0;

type Shop = Awaited<ReturnType<typeof openShop>>;
type Follower = Awaited<ReturnType<typeof join>>;

const open = (more: object = {}) => openShop(`ann-${(turn += 1)}`, { name: `Ann ${turn}`, ...more }, worldNow);
const follower = () => join(`bob-${(turn += 1)}`, worldNow);
const set = (viewer: Viewer, { reference }: Shop, more: Partial<AutobetRuleInput> = {}, at = worldNow) =>
  decidedAt(at, () => setAutobetRule(viewer, reference, { ...rule, ...more }, at));
const run = (at = after(10)) => decidedAt(at, () => placeAutobets(at));

async function tip({ owner, reference }: Shop, more: Partial<TipInput> = {}, at = after(5)): Promise<string> {
  const legs = more.legs ?? [await offer(athletic, 'match-result', 'home', 'bet365')];
  const input = { idempotencyKey: `tip-${(turn += 1)}`, stakeHundredths: 200, ...more, legs };
  return (await publishTip(owner, reference, input, at)).reference;
}

const betsOf = async (viewer: Viewer) =>
  (await listBets(viewer, { ...betFilterSchema.parse({}), skip: 0 }, after(20))).items;
const made = async (viewer: Viewer) => (await listAutobets(viewer)).latest;

test(
  'turns a tip into a bet at the best price on offer then, staked by the rule, in the follower’s own record',
  undone(async () => {
    const [ann, bob] = [await open(), await follower()];
    await set(bob, ann);
    const reference = await tip(ann);
    await importFixtures(
      [
        {
          line: 1,
          fixture: match('Athletic', 'Wanderers', '2026-03-10T20:00:00.000Z', {
            markets: [
              matchResult('Athletic', 'Wanderers', after(6).toISOString(), { pinnacle: [2_620, 3_200, 2_800] }),
            ],
          }),
        },
      ],
      'football-data',
      after(7),
    );
    await run();
    const [bet, ...others] = await betsOf(bob);
    expect(others).toEqual([]);
    expect(bet).toMatchObject({
      placedAt: after(10).toISOString(),
      stakeMinor: 2_000,
      currencyId: CurrencyId.GBP,
      totalOddsThousandths: 2_620,
      tip: { reference },
      legs: [{ bookmakerName: expect.any(String), ownPrice: false }],
    });
    expect(await made(bob)).toMatchObject([
      {
        tipReference: reference,
        missed: null,
        betReference: bet?.reference,
        stakeMinor: 2_000,
        oddsThousandths: 2_620,
      },
    ]);
    await run(after(30));
    expect(await betsOf(bob)).toHaveLength(1);
  }),
);

test(
  'records once when asked at once by several, and none for rules that are off, removed or younger than the tip',
  undone(async () => {
    const ann = await open();
    const [bob, off, gone, young] = [await follower(), await follower(), await follower(), await follower()];
    await set(bob, ann);
    await set(off, ann, { enabled: false });
    await set(gone, ann);
    await removeAutobetRule(gone, ann.reference);
    await tip(ann);
    await set(young, ann, {}, after(6));
    await run();
    await run();
    expect(await betsOf(bob)).toHaveLength(1);
    for (const other of [off, gone, young]) expect([await betsOf(other), await made(other)]).toEqual([[], []]);
    await set(off, ann, { enabled: true }, after(11));
    await run(after(12));
    expect(await made(off)).toEqual([]);
  }),
);

const missed: readonly [string, Partial<AutobetRuleInput>, Date, object][] = [
  [
    'is too short by the rule',
    { leastOddsThousandths: 2_501 },
    after(10),
    { missed: 'short price', oddsThousandths: 2_500 },
  ],
  ['came after the start', {}, new Date('2026-03-10T20:00:00.000Z'), { missed: 'started', oddsThousandths: null }],
];

test.each(missed)('a price that %s is a missed bet with its reason', (_what, more, at, found) =>
  undone(async () => {
    const [ann, bob] = [await open(), await follower()];
    await set(bob, ann, more);
    await tip(ann);
    await run(at);
    expect(await betsOf(bob)).toEqual([]);
    expect(await made(bob)).toMatchObject([{ betReference: null, ...found }]);
    expect(await getAutobetTotals(ann.owner, ann.reference, at)).toMatchObject({
      rules: 1,
      all: { recorded: 0, missed: [{ count: 1 }] },
    });
  })(),
);

test(
  'leaves out the bookmakers that do not serve the follower’s country, and misses what no other offers',
  undone(async () => {
    const [ann, british, american] = [await open(), await follower(), await follower()];
    const country = countries.find(({ iso2 }) => iso2 === 'US')?.id ?? 0;
    await sql`update account set country_id = ${country} where id = ${american.accountId}`.execute(database());
    await importFixtures(
      [
        {
          line: 1,
          fixture: match('City', 'Rovers', '2026-03-14T15:00:00.000Z', {
            markets: [matchResult('City', 'Rovers', worldNow.toISOString(), { tarnwick: [2_200, 3_300, 3_400] })],
          }),
        },
      ],
      'football-data',
      worldNow,
    );
    for (const bob of [british, american]) await set(bob, ann);
    await tip(ann, { legs: [await offer(city, 'match-result', 'home', 'tarnwick')] });
    await run();
    expect(await made(british)).toMatchObject([{ missed: null, oddsThousandths: 2_200 }]);
    expect(await made(american)).toMatchObject([{ missed: 'no price', oddsThousandths: null }]);
  }),
);

test(
  'looks only at tips that the follower may see: locked and hidden ones are for members',
  undone(async () => {
    const ann = await open({ visibility: PortfolioVisibility.public });
    const [stranger, paying] = [await follower(), await follower()];
    await sql`update portfolio set visibility = ${PortfolioVisibility.premium} where id = ${ann.id}`.execute(
      database(),
    );
    await sellMonthly(ann.id, worldNow);
    await sql`insert into membership (account_id, portfolio_id, starts_at, ends_at) values (${paying.accountId}, ${ann.id}, ${worldNow}, ${after(86_400)})`.execute(
      database(),
    );
    for (const bob of [stranger, paying]) await set(bob, ann);
    const locked = await tip(ann, { free: false });
    const free = await tip(ann, { free: true });
    const hidden = await tip(ann, { free: true, hidden: true });
    await run();
    expect((await made(stranger)).map(({ tipReference }) => tipReference)).toEqual([free]);
    expect(new Set((await made(paying)).map(({ tipReference }) => tipReference))).toEqual(
      new Set([locked, free, hidden]),
    );
  }),
);

test(
  'keeps to the sports of the rule',
  undone(async () => {
    const [ann, bob] = [await open(), await follower()];
    await set(bob, ann, { sports: ['golf'] });
    await tip(ann);
    await run();
    expect(await made(bob)).toEqual([]);
  }),
);

test(
  'takes a double with one bookmaker who prices all of it',
  undone(async () => {
    const [ann, bob] = [await open(), await follower()];
    await set(bob, ann);
    await importFixtures(
      [
        {
          line: 1,
          fixture: match('City', 'Rovers', '2026-03-14T15:00:00.000Z', {
            markets: [
              matchResult('City', 'Rovers', worldNow.toISOString(), {
                bet365: [1_900, 3_400, 4_000],
                pinnacle: [2_100, 3_400, 4_000],
              }),
            ],
          }),
        },
      ],
      'football-data',
      worldNow,
    );
    const legs = [
      await offer(athletic, 'match-result', 'home', 'bet365'),
      await offer(city, 'match-result', 'home', 'bet365'),
    ];
    await tip(ann, { legs });
    await run();
    const [bet] = await betsOf(bob);
    // Two bookmakers together would have paid more, but no such bet can be had.
    expect(bet?.totalOddsThousandths).toBe(4_750);
    expect(new Set(bet?.legs.map(({ bookmakerName }) => bookmakerName)).size).toBe(1);
  }),
);

test.each([
  [3_000, 1_500, null],
  [2_501, 1_250, null],
  [1, 1, 'refused'],
])('stakes %i at most on both parts of an each-way tip together', (mostMinor, stakeMinor, miss) =>
  undone(async () => {
    const [ann, bob] = [await open(), await follower()];
    await runRace(worldNow);
    await set(bob, ann, { mostMinor, unitMinor: Math.min(1_000, mostMinor) });
    const legs = [await offer('ayr-2026-03-10-2000', 'outright-winner', runnerKey('Tin Whistle'), 'bet365')];
    await tip(ann, { legs, eachWay: true });
    await run();
    expect(await made(bob)).toMatchObject([{ missed: miss, stakeMinor }]);
    const bets = await betsOf(bob);
    expect(bets.map((bet) => [bet.stakeMinor, bet.legs[0]?.eachWay !== null])).toEqual(
      miss === null ? [[stakeMinor, true]] : [],
    );
  })(),
);

test(
  'records a multiple at total odds beyond any whole number of four bytes',
  undone(async () => {
    const [ann, bob] = [await open(), await follower()];
    await set(bob, ann);
    const long = (home: string, away: string) => [
      matchResult(home, away, worldNow.toISOString(), { bet365: [200_000, 3_000, 1_500] }),
    ];
    await importFixtures(
      [
        match('City', 'Rovers', '2026-03-14T15:00:00.000Z', { markets: long('City', 'Rovers') }),
        match('Harriers', 'Rangers', '2026-03-12T15:00:00.000Z', { markets: long('Harriers', 'Rangers') }),
        match('Albion', 'Vale', '2026-03-12T17:00:00.000Z', { markets: long('Albion', 'Vale') }),
      ].map((fixture, index) => ({ line: index + 1, fixture })),
      'football-data',
      after(1),
    );
    const fixtures = [city, 'harriers-v-rangers-2026-03-12', 'albion-v-vale-2026-03-12'];
    const legs = await Promise.all(fixtures.map((fixture) => offer(fixture, 'match-result', 'home', 'bet365')));
    await tip(ann, { legs });
    await run();
    const [bet] = await betsOf(bob);
    expect(bet?.totalOddsThousandths).toBe(8_000_000_000);
    expect(await made(bob)).toMatchObject([
      { missed: null, betReference: bet?.reference, oddsThousandths: 8_000_000_000 },
    ]);
  }),
);

test(
  'a bet that is taken out of the record leaves its trace, and an account that goes leaves none',
  undone(async () => {
    const [ann, bob] = [await open(), await follower()];
    await set(bob, ann);
    await tip(ann);
    await run();
    const [bet] = await betsOf(bob);
    await removeBet(bob, bet?.reference ?? '');
    expect(await made(bob)).toMatchObject([{ missed: null, betReference: null }]);
    await deleteAccount(bob, after(20));
    const { rows } = await sql<{ rows: number }>`
      select (select count(*) from autobet where account_id = ${bob.accountId}) + (select count(*) from autobet_rule where account_id = ${bob.accountId})::int as rows
    `.execute(database());
    expect(Number(rows[0]?.rows)).toBe(0);
  }),
);

test(
  'a rule is refused for what is no rule, for a portfolio that is not there, and for a stranger’s totals',
  undone(async () => {
    const [ann, bob] = [await open(), await follower()];
    await expect(set(bob, ann, { mostMinor: 99 })).rejects.toThrow('max stake');
    await expect(setAutobetRule(bob, 'nobody-here', rule, worldNow)).rejects.toMatchObject({ kind: 'missing' });
    await expect(removeAutobetRule(bob, ann.reference)).rejects.toMatchObject({ kind: 'missing' });
    await expect(getAutobetTotals(bob, ann.reference, worldNow)).rejects.toMatchObject({ kind: 'forbidden' });
  }),
);

test(
  'is recorded although the follower has used the key that the job had for it',
  undone(async () => {
    const [ann, bob] = [await open(), await follower()];
    await set(bob, ann);
    const reference = await tip(ann);
    const { fixtureReference, selectionId, bookmakerId, oddsThousandths } = await offer(
      athletic,
      'match-result',
      'draw',
      'bet365',
    );
    const legs = [{ fixtureReference, selectionId, bookmakerId, price: { oddsThousandths, fraction: null } }];
    await decidedAt(after(6), () =>
      placeBet(bob, { legs, stakeMinor: 100, currencyId: CurrencyId.GBP }, `autobet-${reference}`),
    );
    await run();
    expect(await made(bob)).toMatchObject([{ missed: null, stakeMinor: 2_000 }]);
    expect(await betsOf(bob)).toHaveLength(2);
    const { rows } = await sql<{ key: string }>`
      select idempotency_key as key from bet where account_id = ${bob.accountId} and tip_id is not null
    `.execute(database());
    expect(rows.map(({ key }) => idempotencyKeySchema.safeParse(key).success)).toEqual([false]);
  }),
);

test(
  'a bet that cannot be recorded for any other reason is a missed one',
  undone(async () => {
    const [ann, bob] = [await open(), await follower()];
    await set(bob, ann);
    await tip(ann);
    await asOwner(sql`alter table bet add constraint takes_none check (account_id <> ${bob.accountId}) not valid`);
    await run();
    expect(await betsOf(bob)).toEqual([]);
    expect(await made(bob)).toMatchObject([{ missed: 'refused', stakeMinor: 2_000, betReference: null }]);
  }),
);

test.each([
  [
    'an account is held for too long',
    ({ accountId }: Follower) => `select from account where id = ${accountId} for update`,
    1,
  ],
  ['nobody can be read', () => 'lock table account in access exclusive mode', 0],
])('where %s the tip is taken up again, and nobody loses a bet nor has two', async (_, hold, meanwhile) => {
  const [ann, bob, cat] = [await open(), await follower(), await follower()];
  for (const each of [bob, cat]) await set(each, ann);
  await tip(ann);
  await onOwnConnection(async (other) => {
    await other.query('begin');
    await other.query(hold(bob));
    await expect(run()).rejects.toMatchObject({ code: '55P03' });
    await other.query('rollback');
  });
  expect([(await made(bob)).length, (await made(cat)).length]).toEqual([0, meanwhile]);
  for (const _again of [1, 2]) await run();
  for (const each of [bob, cat]) {
    expect(await made(each)).toMatchObject([{ missed: null }]);
    expect(await betsOf(each)).toHaveLength(1);
  }
});
