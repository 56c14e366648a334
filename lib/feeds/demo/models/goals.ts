import { runnerKey } from '@/lib/fixtures/rules';
import type { FeedResult, FeedScorers } from '@/lib/fixtures/schema';
import { decided, type Model, plain, sidesMarket, type Sides, totalMarket, type TrueMarket } from '../model';
import type { Random } from '../random';

type End = { home: number; away: number; halfHome: number; halfAway: number; probability: number };

const mostGoals = 5;
const firstHalfShare = 0.45;
const scorerShare = 0.25;
const absentShare = 0.06;
const ownGoalShare = 0.12;

/** Who plays for a side: on the `quoted` there are prices to score, the others score now and then, too. */
export type Squad = { quoted: readonly string[]; others: readonly string[] };

/** The squads of a match, no name of which is in both. */
export type Squads = { home: Squad; away: Squad };

const otherSide = { home: 'away', away: 'home' } as const;

/** Draws who scored: each of the quoted, where he plays, his share of the goals of his side, all others the rest, with now and then an own goal. */
function scorersOf({ home, away, halfHome, halfAway }: End, squads: Squads, random: Random): FeedScorers {
  const absentees = [...squads.home.quoted, ...squads.away.quoted].filter(() => random.chance(absentShare));
  const scorerFor = (side: 'home' | 'away') => {
    const { quoted, others } = squads[side];
    const quotedPlayer = quoted[Math.floor(random.next() / scorerShare)];
    if (quotedPlayer !== undefined && !absentees.includes(quotedPlayer)) return { name: quotedPlayer, ownGoal: false };
    const ownGoal = random.chance(ownGoalShare);
    return { name: random.pick(ownGoal ? squads[otherSide[side]].others : others), ownGoal };
  };
  const goalsIn = (period: 'first-half' | 'second-half', own: number, other: number) =>
    random
      .shuffled([
        ...Array.from({ length: own }, () => 'home' as const),
        ...Array.from({ length: other }, () => 'away' as const),
      ])
      .map((side) => ({ ...scorerFor(side), period }));
  return {
    goals: [...goalsIn('first-half', halfHome, halfAway), ...goalsIn('second-half', home - halfHome, away - halfAway)],
    absentees,
  };
}

const results = ['home', 'draw', 'away'] as const;
const listedScores = [
  '0-0',
  '1-0',
  '0-1',
  '1-1',
  '2-0',
  '0-2',
  '2-1',
  '1-2',
  '2-2',
  '3-0',
  '3-1',
  '3-2',
  '0-3',
  '1-3',
  '2-3',
];

// The tail above the most goals of a half is folded into the last, so that the whole is 1.
function poisson(mean: number): number[] {
  const chances: number[] = [];
  let chance = Math.exp(-mean);
  for (let goals = 0; goals < mostGoals; goals += 1) {
    chances.push(chance);
    chance *= mean / (goals + 1);
  }
  return [...chances, 1 - chances.reduce((sum, one) => sum + one, 0)];
}

function endsOf(homeMean: number, awayMean: number): End[] {
  const halves = [firstHalfShare, 1 - firstHalfShare].map((share) => {
    const away = poisson(awayMean * share);
    return poisson(homeMean * share).flatMap((homeChance, home) =>
      away.map((awayChance, awayGoals) => ({ home, away: awayGoals, probability: homeChance * awayChance })),
    );
  });
  const [first = [], second = []] = halves;
  return first.flatMap((half) =>
    second.map((rest) => ({
      home: half.home + rest.home,
      away: half.away + rest.away,
      halfHome: half.home,
      halfAway: half.away,
      probability: half.probability * rest.probability,
    })),
  );
}

const resultOf = (home: number, away: number) => (home > away ? 'home' : home < away ? 'away' : 'draw');

/** The weight of a stake won and lost, in halves, when the margin that decides it is this one, in quarters of a goal. */
function weights(marginHundredths: number): { won: number; lost: number } {
  const halves =
    marginHundredths % 50 === 0 ? [marginHundredths, marginHundredths] : [marginHundredths - 25, marginHundredths + 25];
  return { won: halves.filter((half) => half > 0).length / 2, lost: halves.filter((half) => half < 0).length / 2 };
}

/** Football: goals of each half and side by Poisson, from which every market follows. Returns the model of one match. */
export function goalsModel(sides: Sides, squads: Squads): Model<FeedResult> {
  const supremacy = 0.22 * (sides.homeStrength - sides.awayStrength);
  const means = { home: 1.5 * Math.exp(supremacy), away: 1.15 * Math.exp(-supremacy) };
  const ends = endsOf(means.home, means.away);
  const sum = (weigh: (end: End) => number) => ends.reduce((whole, end) => whole + end.probability * weigh(end), 0);
  const chance = (holds: (end: End) => boolean) => sum((end) => (holds(end) ? 1 : 0));
  const name = { home: sides.home, draw: 'Draw', away: sides.away };
  const byMargin = (margin: (end: End) => number) =>
    decided(
      sum((end) => weights(margin(end)).won),
      sum((end) => weights(margin(end)).lost),
    );
  const handicap = (line: number) =>
    sidesMarket(
      'asian-handicap',
      sides,
      byMargin((end) => 100 * (end.home - end.away) + line),
      { lineHundredths: line },
    );
  const total = (line: number) =>
    totalMarket(
      line,
      byMargin((end) => 100 * (end.home + end.away) - line),
    );
  const balance = means.home - means.away;
  const line = balance > 0.9 ? -100 : balance > 0.3 ? -50 : balance < -0.9 ? 100 : balance < -0.3 ? 50 : 0;
  const threeWay = (european: number) =>
    results.map((key) => ({
      key,
      name: name[key],
      probability: chance((end) => resultOf(100 * end.home + european, 100 * end.away) === key),
    }));
  const matchResult: TrueMarket = { kind: 'match-result', ...plain, selections: threeWay(0) };
  const [home = 0, draw = 0, away = 0] = matchResult.selections.map(({ probability }) => probability);

  function further(): TrueMarket[] {
    const both = chance((end) => end.home > 0 && end.away > 0);
    const european = balance >= 0 ? -100 : 100;
    const scores = listedScores.map((key) => ({
      key,
      name: key.replace('-', '–'),
      probability: chance((end) => `${end.home}-${end.away}` === key),
    }));
    const listed = scores.reduce((whole, { probability }) => whole + probability, 0);
    return [
      {
        kind: 'double-chance',
        ...plain,
        selections: [
          { key: 'home-draw', name: `${sides.home} or draw`, probability: home + draw },
          { key: 'home-away', name: `${sides.home} or ${sides.away}`, probability: home + away },
          { key: 'draw-away', name: `Draw or ${sides.away}`, probability: draw + away },
        ],
      },
      sidesMarket('draw-no-bet', sides, decided(home, away)),
      total(150),
      total(275),
      total(350),
      handicap(line + 25),
      { kind: 'european-handicap', ...plain, lineHundredths: european, selections: threeWay(european) },
      {
        kind: 'both-teams-to-score',
        ...plain,
        selections: [
          { key: 'yes', name: 'Yes', probability: both },
          { key: 'no', name: 'No', probability: 1 - both },
        ],
      },
      {
        kind: 'correct-score',
        ...plain,
        selections: [...scores, { key: 'other', name: 'Any other score', probability: 1 - listed }],
      },
      {
        kind: 'half-time-full-time',
        ...plain,
        selections: results.flatMap((half) =>
          results.map((full) => ({
            key: `${half}/${full}`,
            name: `${name[half]} / ${name[full]}`,
            probability: chance(
              (end) => resultOf(end.halfHome, end.halfAway) === half && resultOf(end.home, end.away) === full,
            ),
          })),
        ),
      },
      {
        kind: 'match-result',
        ...plain,
        period: 'half-time',
        selections: results.map((key) => ({
          key,
          name: name[key],
          probability: chance((end) => resultOf(end.halfHome, end.halfAway) === key),
        })),
      },
      {
        kind: 'scorer',
        ...plain,
        selections: (['home', 'away'] as const).flatMap((side) =>
          squads[side].quoted.map((player) => ({
            key: runnerKey(player),
            name: player,
            probability: 1 - Math.exp(-means[side] * scorerShare),
          })),
        ),
      },
    ];
  }

  return {
    markets: (depth) => [matchResult, total(250), handicap(line), ...(depth === 'rich' ? further() : [])],
    play: (random) => {
      let left = random.next();
      const end = ends.find(({ probability }) => (left -= probability) < 0) ?? ends[0];
      if (!end) throw new RangeError('A match has no end to draw from.');
      const halfTime = { home: end.halfHome, away: end.halfAway };
      return { home: end.home, away: end.away, halfTime, scorers: scorersOf(end, squads, random) };
    },
  };
}
