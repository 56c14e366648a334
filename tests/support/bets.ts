import { sql } from 'kysely';
import type { BetInput } from '@/lib/bets/schema';
import { importFixtures } from '@/lib/fixtures/commands';
import { database } from '@/lib/platform/database';
import { runnerKey } from '@/lib/fixtures/rules';
import type { FeedRace } from '@/lib/fixtures/schema';
import { offer } from './members';
import { match, matchResult, worldNow } from './world';

/** The match of the named world that is next, and its start. */
export const athletic = 'athletic-v-wanderers-2026-03-10';
/** The start of that match. */
export const start = new Date('2026-03-10T20:00:00.000Z');
/** So many hours after the start. */
export const after = (hours: number) => new Date(start.getTime() + hours * 3_600_000);
/** So many hours before the moment at which the tests stand. */
export const before = (hours: number) => new Date(worldNow.getTime() - hours * 3_600_000);

type Offer = Awaited<ReturnType<typeof offer>>;
/** An offer as a leg of a bet, at its own price unless another is given. */
export const legOf = ({ oddsThousandths, ...leg }: Offer, odds = oddsThousandths): BetInput['legs'][number] => ({
  ...leg,
  price: { oddsThousandths: odds, fraction: null },
});
/** The home win of the next match. */
export const homeWin = async () => legOf(await offer(athletic, 'match-result', 'home', 'bet365'));
/** A bet on the home win. */
export const bet = async (more: Partial<BetInput> = {}): Promise<BetInput> => ({
  legs: [await homeWin()],
  stakeMinor: 100,
  ...more,
});

/** Copies the only bet that there is, with its leg and its settlement, so many times, entered at another moment if one is given. */
export async function copyBet(count: number, enteredAt: Date | null = null): Promise<void> {
  await sql`
    with made as (
      insert into bet (reference, account_id, idempotency_key, request_hash, placed_at, entered_at, first_starts_at, stake_minor, currency_id, each_way, due_at)
      select lpad(to_hex(place), 10, '0'), account_id, 'copy-' || place, request_hash, least(placed_at, ${enteredAt}::timestamptz), coalesce(${enteredAt}::timestamptz, entered_at),
        first_starts_at, stake_minor, currency_id, each_way, due_at
      from bet, generate_series(1, ${count}::int) place returning id
    ), legs as (
      insert into bet_leg select (jsonb_populate_record(bet_leg, jsonb_build_object('bet_id', made.id))).* from made, bet_leg
    )
    insert into bet_settlement (bet_id, version, outcome, staked_minor, return_microunits, profit_microunits, level_staked_hundredths, level_profit_microunits, legs, results, reason, settled_at)
    select made.id, version, outcome, staked_minor, return_microunits, profit_microunits, level_staked_hundredths, level_profit_microunits, legs, results, reason, settled_at
    from made, bet_settlement order by made.id
  `.execute(database());
}

/** Tells the result of a match. */
export async function play(home: string, away: string, startsAt: string, score: [number, number], at: Date) {
  await importFixtures(
    [{ line: 1, fixture: match(home, away, startsAt, { result: { home: score[0], away: score[1], halfTime: null } }) }],
    'football-data',
    at,
  );
}

/** Tells the result of the next match. */
export const playAthletic = (score: [number, number], at: Date) =>
  play('Athletic', 'Wanderers', start.toISOString(), score, at);

/** A second match to back together with the first, an hour after it. */
export async function offerSecond(): Promise<Offer> {
  const at = '2026-03-09T09:00:00.000Z';
  await importFixtures(
    [
      {
        line: 1,
        fixture: match('Harriers', 'Rangers', after(1).toISOString(), {
          markets: [matchResult('Harriers', 'Rangers', at, { bet365: [2000, 3000, 4000] })],
        }),
      },
    ],
    'football-data',
    worldNow,
  );
  return offer('harriers-v-rangers-2026-03-10', 'match-result', 'home', 'bet365');
}

/** Who runs in the race. */
export const runners = [
  'Copper Lantern',
  'Slate Roof',
  'Quiet Tuesday',
  'Paper Boat',
  'Long Meadow',
  'Tin Whistle',
  'Old Ferry',
  'North Wall',
];

/** A race that starts with the next match. */
export function race(more: Partial<Pick<FeedRace, 'result' | 'runners'>> = {}): FeedRace {
  return {
    ...{
      sportReference: 'horse-racing',
      season: '2026',
      startsAt: start.toISOString(),
      startTimeKnown: true,
      offAt: null,
      handicap: false,
      name: '20:00 Ayr',
      reference: 'ayr-2026-03-10-2000',
    },
    league: { reference: 'ayr', name: 'Ayr', countryIso2: 'GB', territory: 'Scotland', rank: 1 },
    runners: runners.map((name, index) => ({ name, number: index + 1, withdrawal: null, startingPrice: null })),
    result: null,
    markets: [
      {
        ...{ kind: 'outright-winner', lineHundredths: 0, period: 'full-time', includesOvertime: false },
        selections: runners.map((name) => ({
          key: runnerKey(name),
          name,
          prices: [
            {
              bookmakerReference: 'bet365',
              price: { oddsThousandths: 9000, fraction: null },
              at: '2026-03-09T09:00:00.000Z',
              timeKnown: true,
              closing: false,
            },
          ],
        })),
      },
    ],
    ...more,
  };
}

/** Imports the race. */
export const runRace = (at: Date, more: Parameters<typeof race>[0] = {}) =>
  importFixtures([{ line: 1, fixture: race(more) }], 'betfair', at);
/** A runner of the race to back. */
export const onRunner = async (name: string) =>
  legOf(await offer('ayr-2026-03-10-2000', 'outright-winner', runnerKey(name), 'bet365'));
