import fc from 'fast-check';
import { dayAfter, eventNamed, eventsOn, pastEventsOn } from '@/lib/feeds/demo/events';
import type { Sides } from '@/lib/feeds/demo/model';
import { boutModel, framesModel, setsModel } from '@/lib/feeds/demo/models/contests';
import { goalsModel } from '@/lib/feeds/demo/models/goals';
import { pointsModel } from '@/lib/feeds/demo/models/points';
import { raceModel } from '@/lib/feeds/demo/models/race';
import { isReviewed, marketsBetween, pastMarkets } from '@/lib/feeds/demo/prices';
import { randomFrom } from '@/lib/feeds/demo/random';
import { runnerKey } from '@/lib/fixtures/rules';
import { scorersAgree } from '@/lib/fixtures/rules/scorers';
import { roundsBefore } from '@/lib/demo/rounds';
import { demoSports } from '@/lib/feeds/demo/sports';
import { tipstersOf } from '@/lib/demo/tipsters';
import { type FeedMarket, marketKinds } from '@/lib/fixtures/schema';
import { nearestRung, overround } from '@/lib/odds/rules';
import { priceSchema } from '@/lib/odds/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { settleScore } from '@/lib/settlement/rules/scores';
import { selectionKeySchemas } from '@/lib/settlement/schema/selection-keys';

const seed = 'test';
const day = '2026-03-14';
const sides: Sides = { home: 'Home', away: 'Away', homeStrength: 0.8, awayStrength: -0.4 };
const gamesOfSet = [
  { winner: 6, loser: 3, probability: 0.6 },
  { winner: 7, loser: 6, probability: 0.4 },
];

const matches = {
  football: goalsModel(sides, {
    home: { quoted: ['A. Player', 'B. Player'], others: ['C. Player'] },
    away: { quoted: ['X. Player'], others: ['Y. Player'] },
  }),
  basketball: pointsModel(sides, {
    total: 168,
    totalSpread: 17,
    perStrength: 5,
    homeAdvantage: 3,
    marginSpread: 12,
    draws: false,
    handicap: true,
  }),
  handball: pointsModel(sides, {
    total: 56,
    totalSpread: 6,
    perStrength: 2,
    homeAdvantage: 1.5,
    marginSpread: 5,
    draws: true,
    handicap: true,
  }),
  'ice-hockey': pointsModel(sides, {
    total: 5.8,
    totalSpread: 2.2,
    perStrength: 0.5,
    homeAdvantage: 0.3,
    marginSpread: 2.5,
    draws: false,
    handicap: true,
  }),
  snooker: framesModel(sides, 5),
  'e-sports': framesModel(sides, 2),
  tennis: setsModel(sides, { target: 2, ends: gamesOfSet, lastEnds: gamesOfSet }),
  boxing: boutModel(sides, 0.05),
  mma: boutModel(sides, 0),
};

describe('a model of a match', () => {
  const isTied: readonly string[] = ['scorer', 'double-chance'];

  test.each(Object.entries(matches))('of %s gives each market chances that add up to 1', (_, model) => {
    for (const market of model.markets('rich').filter(({ kind }) => !isTied.includes(kind))) {
      expect(market.selections.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 3);
    }
  });

  test.each(Object.entries(matches))(
    'of %s is played as often as it says, by the rules of settlement',
    (sportReference, model) => {
      const random = randomFrom('play', sportReference);
      const markets = model.markets('rich');
      const tallies = new Map<string, { won: number; lost: number }>();
      const times = 3_000;
      for (let played = 0; played < times; played += 1) {
        const { home, away, halfTime, sets, scorers } = model.play(random);
        const score = sets
          ? { kind: 'sets' as const, sets, unfinished: null }
          : {
              kind: 'points' as const,
              halfTime,
              regulation: { home, away },
              final: { home, away },
              goals: scorers?.goals.map(({ name, ...goal }) => ({ scorer: runnerKey(name), ...goal })) ?? null,
              absentees: scorers?.absentees.map(runnerKey) ?? [],
            };
        for (const [place, market] of markets.entries()) {
          const listedKeys = market.selections.map(({ key }) => key);
          for (const { key } of market.selections) {
            const ruling = settleScore(
              { sportReference, market: { ...market, listedKeys }, selection: { key, participantId: null } },
              score,
            );
            if (ruling.kind !== 'ruled') throw new Error(`${sportReference} ${market.kind}: ${ruling.what} is missing`);
            const tally = tallies.get(`${place}|${key}`) ?? { won: 0, lost: 0 };
            for (const half of ruling.halves) if (half !== 'void') tally[half] += 0.5;
            tallies.set(`${place}|${key}`, tally);
          }
        }
      }
      for (const [place, market] of markets.entries()) {
        for (const { key, probability } of market.selections) {
          const { won, lost } = tallies.get(`${place}|${key}`) ?? { won: 0, lost: 0 };
          const error = Math.abs(won / (won + lost) - probability);
          expect({
            market: `${market.kind} ${market.lineHundredths} ${key}`,
            error: error < 0.05 ? 'small' : error,
          }).toEqual({ market: expect.any(String), error: 'small' });
        }
      }
    },
  );

  test('of football tells who scored as often as there were goals in each half, the same again for the same seed', () => {
    const { football } = matches;
    const played = (seedOfMatch: number) => football.play(randomFrom('scorers', seedOfMatch));
    const results = Array.from({ length: 400 }, (_, index) => played(index));
    for (const { scorers, halfTime, ...score } of results)
      expect(scorers && scorersAgree(scorers, score, halfTime)).toBe(true);
    const goals = results.flatMap(({ scorers }) => scorers?.goals ?? []);
    expect(new Set(goals.map(({ name, ownGoal }) => `${name[0]}${ownGoal ? ' own' : ''}`))).toEqual(
      new Set(['A', 'B', 'C', 'C own', 'X', 'Y', 'Y own']),
    );
    for (const { scorers } of results)
      for (const name of scorers?.absentees ?? []) expect(scorers?.goals.map((goal) => goal.name)).not.toContain(name);
    expect(results.some(({ scorers }) => scorers && scorers.absentees.length > 0)).toBe(true);
    expect(Array.from({ length: 400 }, (_, index) => played(index))).toEqual(results);
  });

  test('of a race gives each runner its share of the wins, and no place to one that is absent', () => {
    const entrants = [
      { name: 'One', share: 0.5 },
      { name: 'Two', share: 0.3 },
      { name: 'Three', share: 0.2 },
    ];
    const model = raceModel(entrants, []);
    const random = randomFrom('race');
    const wins = Array.from(
      { length: 4_000 },
      () => model.play(random).positions.find(({ position }) => position === 1)?.name,
    );
    for (const { name, share } of entrants)
      expect(Math.abs(wins.filter((winner) => winner === name).length / 4_000 - share)).toBeLessThan(0.03);
    expect(
      raceModel(entrants, ['Two'])
        .play(random)
        .positions.map(({ name }) => name),
    ).not.toContain('Two');
  });
});

describe('the events of a day', () => {
  test('are those of all 20 sports, the same for the same seed, each found again by its name', () => {
    const events = eventsOn(seed, day);
    expect(new Set(events.map(({ sportReference }) => sportReference)).size).toBe(20);
    expect(events.map((event) => event.fixture([], true))).toEqual(
      eventsOn(seed, day).map((event) => event.fixture([], true)),
    );
    for (const event of events)
      expect(eventNamed(seed, event.sourceId)?.fixture([], true)).toEqual(event.fixture([], true));
    expect(eventNamed(seed, 'nonsense')).toBeNull();
    expect(eventsOn('other', day).map((event) => event.fixture([], false))).not.toEqual(
      events.map((event) => event.fixture([], false)),
    );
  });

  test('let nobody take part twice in a sport', () => {
    for (const { reference } of demoSports) {
      const names = eventsOn(seed, day)
        .filter(({ sportReference }) => sportReference === reference)
        .flatMap((event) => {
          const fixture = event.fixture([], false);
          return 'runners' in fixture ? fixture.runners.map(({ name }) => name) : [fixture.home, fixture.away];
        });
      expect({ reference, twice: names.filter((name, index) => names.indexOf(name) !== index) }).toEqual({
        reference,
        twice: [],
      });
    }
  });

  test('start on their day, and the few of a past day are among them', () => {
    const events = eventsOn(seed, day);
    for (const { startsAt, resultAt } of events)
      expect([startsAt.toISOString().slice(0, 10), resultAt > startsAt]).toEqual([day, true]);
    const past = pastEventsOn(seed, day, 5).map(({ sourceId }) => sourceId);
    expect(past).toHaveLength(5);
    expect(events.map(({ sourceId }) => sourceId)).toEqual(expect.arrayContaining(past));
  });
});

describe('what a sport tells beside the score', () => {
  const days = ['2026-03-14', '2026-03-15', '2026-03-16'];
  const played = (sport: string) =>
    days
      .flatMap((each) => eventsOn(seed, each))
      .filter(({ sportReference }) => sportReference === sport)
      .flatMap((event) => {
        const { result } = event.fixture([], true);
        return result && 'home' in result ? [result] : [];
      });

  test.each([
    ['basketball', 'Quarter', 4],
    ['american-football', 'Quarter', 4],
    ['ice-hockey', 'Period', 3],
    ['baseball', 'Inning', 9],
  ])('of %s are parts of it that add up to the score', (sport, name, count) => {
    const results = played(sport);
    expect(results.length).toBeGreaterThan(3);
    for (const { home, away, periods = [] } of results) {
      expect(periods.map((period) => period.name)).toEqual(
        Array.from({ length: count }, (_, index) => `${name} ${index + 1}`),
      );
      const sum = (side: 'home' | 'away') => periods.reduce((total, period) => total + period[side], 0);
      expect([sum('home'), sum('away')]).toEqual([home, away]);
    }
  });

  test('of rugby and handball is the score at half-time', () => {
    for (const { home, away, halfTime } of ['rugby-union', 'rugby-league', 'handball'].flatMap(played)) {
      expect((halfTime?.home ?? 999) <= home).toBe(true);
      expect((halfTime?.away ?? 999) <= away).toBe(true);
    }
  });

  test('of a fight is how it ended, and in which round', () => {
    const fights = ['boxing', 'mma'].flatMap(played).filter(({ home, away }) => home !== away);
    expect(fights.length).toBeGreaterThan(6);
    for (const { finish } of fights)
      expect(finish).toMatch(/^((KO|TKO|submission), round \d+|(unanimous|majority|split) decision)$/);
  });

  test('of horses is who rides and trains each, its weight and a draw of its own', () => {
    const races = days
      .flatMap((each) => eventsOn(seed, each))
      .filter(({ sportReference }) => sportReference === 'horse-racing');
    for (const event of races) {
      const fixture = event.fixture([], false);
      const cards = 'runners' in fixture ? fixture.runners.map(({ card }) => card) : [];
      expect(new Set(cards.map((card) => card?.jockey)).size).toBe(cards.length);
      expect(cards.map((card) => card?.draw).sort((a = 0, b = 0) => a - b)).toEqual(cards.map((_, index) => index + 1));
      for (const card of cards) {
        expect(card?.trainer).toMatch(/\w/);
        expect(card?.weightPounds).toBeGreaterThan(110);
        expect(card?.weightPounds).toBeLessThan(145);
      }
    }
  });
});

const flat = (markets: readonly FeedMarket[]) =>
  markets.flatMap(({ kind, lineHundredths, period, selections }) =>
    selections.flatMap(({ key, prices }) =>
      prices.map(({ bookmakerReference, price, at }) =>
        [kind, lineHundredths, period, key, bookmakerReference, at, price?.oddsThousandths].join('|'),
      ),
    ),
  );

describe('prices', () => {
  const events = eventsOn(seed, day);

  test('are made for all 13 kinds, under keys that settlement knows, as prices that can be kept', () => {
    const kinds = new Set<string>();
    for (const event of events) {
      for (const market of marketsBetween(seed, event, new Date(0), event.startsAt)) {
        kinds.add(market.kind);
        for (const { key, prices } of market.selections) {
          expect(selectionKeySchemas[market.kind].safeParse(key).success).toBe(true);
          for (const { price, at } of prices)
            expect([priceSchema.safeParse(price).success, Date.parse(at) <= event.startsAt.getTime()]).toEqual([
              true,
              true,
            ]);
        }
      }
    }
    expect([...kinds].sort()).toEqual([...marketKinds].sort());
  });

  test('carry a margin: the books of the main markets are over-round in the mean', () => {
    const rounds = events.flatMap((event) => {
      const [main] = pastMarkets(seed, event);
      const books = [
        ...new Set(
          main?.selections.flatMap(({ prices }) => prices.map(({ bookmakerReference }) => bookmakerReference)),
        ),
      ];
      return books.map(
        (book) =>
          overround(
            main?.selections.map(
              ({ prices }) => prices.find(({ bookmakerReference }) => bookmakerReference === book)?.price ?? null,
            ) ?? [],
          ) ?? 0,
      );
    });
    const mean = rounds.reduce((sum, percent) => sum + percent, 0) / rounds.length;
    expect(mean).toBeGreaterThan(1);
    expect(mean).toBeLessThan(9);
  });

  test('make books that cannot be beaten by themselves, at every moment of every bookmaker', () => {
    const beaten = ['2026-03-14', '2026-03-15', '2026-04-01'].flatMap((date) =>
      eventsOn(seed, date).flatMap((event) =>
        [...marketsBetween(seed, event, new Date(0), event.startsAt), ...pastMarkets(seed, event)]
          .filter(({ kind }) => kind !== 'scorer')
          .flatMap(({ kind, selections }) => {
            const moments = new Set(
              selections.flatMap(({ prices }) =>
                prices.map(({ bookmakerReference, at }) => `${bookmakerReference} ${at}`),
              ),
            );
            return [...moments].flatMap((moment) => {
              const book = selections.map(
                ({ prices }) =>
                  prices.find(({ bookmakerReference, at }) => `${bookmakerReference} ${at}` === moment)?.price ?? null,
              );
              const percent = overround(book, kind === 'double-chance' ? 2 : 1) ?? -1;
              return percent > 0 ? [] : [`${event.sourceId} ${kind} ${moment}: ${percent}`];
            });
          }),
      ),
    );
    expect(beaten).toEqual([]);
  });

  test('on races are rungs of the bookmakers’ ladder', () => {
    const racing = events.find(({ sportReference }) => sportReference === 'horse-racing');
    const quoted = racing ? marketsBetween(seed, racing, new Date(0), racing.startsAt) : [];
    const fractions = quoted.flatMap(({ selections }) =>
      selections.flatMap(({ prices }) => prices.map(({ price }) => price?.fraction)),
    );
    expect(fractions.length).toBeGreaterThan(20);
    for (const fraction of fractions)
      expect(
        nearestRung(Math.round(1000 + (1000 * (fraction?.numerator ?? 0)) / (fraction?.denominator ?? 1))),
      ).toEqual(fraction);
  });

  test('are the same however the time is cut', () => {
    const event = events[0];
    if (!event) throw new Error('The day has no event.');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 16 * 24 * 60 }), (minutes) => {
        const cut = new Date(event.startsAt.getTime() - minutes * 60_000);
        const parts = [
          ...flat(marketsBetween(seed, event, new Date(0), cut)),
          ...flat(marketsBetween(seed, event, cut, event.startsAt)),
        ];
        expect(parts.sort()).toEqual(flat(marketsBetween(seed, event, new Date(0), event.startsAt)).sort());
        if (!isReviewed(event.startsAt, cut, event.startsAt))
          expect(marketsBetween(seed, event, cut, event.startsAt)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

describe('rounds and tipsters', () => {
  test('rounds are settled before the next one opens, publish before their first fixture, and end before now', () => {
    const now = new Date('2026-03-10T12:00:00.000Z');
    const rounds = roundsBefore(now, 730);
    expect(rounds.length).toBeGreaterThan(205);
    for (const [index, round] of rounds.entries()) {
      expect(round.settlesAt <= now).toBe(true);
      const next = rounds[index + 1];
      if (next) expect(next.opensAt >= round.settlesAt).toBe(true);
      const starts = round.days.flatMap((own) => eventsOn(seed, own)).map(({ startsAt }) => startsAt.getTime());
      const moments = round.tipMoments.map((moment) => moment.getTime());
      expect([moments[0] ?? 0, Math.min(...starts)]).toEqual([expect.any(Number), expect.any(Number)]);
      expect(Math.max(...moments)).toBeLessThan(Math.min(...starts));
    }
    expect(dayAfter(now, -1)).toBe('2026-03-09');
  });

  test('60 tipsters of names of their own play sports there are, most of them in public', () => {
    const tipsters = tipstersOf(seed);
    expect(tipsters).toHaveLength(60);
    expect(new Set(tipsters.map(({ name }) => name)).size).toBe(60);
    expect(new Set(tipsters.map(({ username }) => username)).size).toBe(60);
    for (const { sports, username } of tipsters) {
      expect(demoSports.map(({ reference }) => reference)).toEqual(expect.arrayContaining([...sports]));
      expect(username.length).toBeLessThanOrEqual(40);
    }
    const count = (visibility: PortfolioVisibility) =>
      tipsters.filter((tipster) => tipster.visibility === visibility).length;
    expect([
      count(PortfolioVisibility.public),
      count(PortfolioVisibility.premium),
      count(PortfolioVisibility.hidden),
      count(PortfolioVisibility.personal),
    ]).toEqual([45, 12, 2, 1]);
  });
});
