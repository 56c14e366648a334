import { slug } from '@/lib/reference/rules';
import { londonTime } from './site-matches';

/** A match of the made-up season: its sides, its start, and the score that was played. */
export type SeasonMatch = { home: string; away: string; startsAt: Date; score: readonly [number, number] };

const towns = [
  ...['Ashcombe', 'Barrowdene', 'Castle Moor', 'Dunmere', 'Elmstead', 'Farnley', 'Greyfold', 'Holmbury', 'Ivinghoe'],
  ...['Jarrow Bank', 'Kelmarsh', 'Lowther', 'Mardale', 'Netherby', 'Oakhanger', 'Penistow', 'Quernmore', 'Risborough'],
  ...['Saltfleet', 'Tarrington'],
];
const dayMilliseconds = 24 * 3_600_000;

/** The club that the feed calls otherwise in its second file, and how. */
export const renamed = { from: 'Ashcombe', to: 'Ashcombe Town FC' } as const;

/** Four rounds of twenty clubs, each once a round, a week apart; the last was played three days ago. */
export function seasonMatches(now: Date): SeasonMatch[] {
  const [fixed = '', ...others] = towns;
  return [0, 1, 2, 3].flatMap((round) => {
    const turned = [...others.slice(round), ...others.slice(0, round)];
    const all = [fixed, ...turned];
    const startsAt = new Date(now.getTime() - (3 + 7 * (3 - round)) * dayMilliseconds);
    startsAt.setUTCHours(15, 0, 0, 0);
    return all.slice(0, 10).map(
      (home, place): SeasonMatch => ({
        home,
        away: all[19 - place] ?? '',
        startsAt,
        score: [(round + place) % 4, place % 3],
      }),
    );
  });
}

/** The matches of the last round that something is wrong with. */
export function faultsOf(matches: readonly SeasonMatch[]) {
  const last = matches.slice(30);
  const [, postponed, postponedToo, abandoned, wronglyScored] = last;
  if (!postponed || !postponedToo || !abandoned || !wronglyScored) throw new Error('The season has no last round.');
  return { postponed, postponedToo, abandoned, wronglyScored };
}

/** The reference of a match: its sides and the day of its start. */
export const referenceOf = ({ home, away, startsAt }: SeasonMatch): string =>
  `${slug(home)}-v-${slug(away)}-${startsAt.toISOString().slice(0, 10)}`;

const outcome = ([home, away]: readonly [number, number]) => (home > away ? 'H' : home < away ? 'A' : 'D');

function row({ home, away, startsAt }: SeasonMatch, score: readonly [number, number] | null): string {
  const { date, time } = londonTime(startsAt);
  const result = score ? [...score, outcome(score)] : ['', '', ''];
  return ['EC', date, time, home, away, ...result].join(',');
}

const file = (rows: readonly string[]) => ['Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR', ...rows].join('\n');

/** The season as the feed first has it: the last round is to come. */
export const announcedSeason = (matches: readonly SeasonMatch[]): string =>
  file(matches.map((match, place) => row(match, place < 30 ? match.score : null)));

/** The season as the feed has it after the last round: one club renamed, two matches postponed and one abandoned without a word, one with its score the wrong way round. */
export function playedSeason(matches: readonly SeasonMatch[]): string {
  const { postponed, postponedToo, abandoned, wronglyScored } = faultsOf(matches);
  const named = (club: string) => (club === renamed.from ? renamed.to : club);
  return file(
    matches.map((match) => {
      const [home, away] = match.score;
      const isNotPlayed = [postponed, postponedToo, abandoned].includes(match);
      const score = isNotPlayed ? null : match === wronglyScored ? ([away, home] as const) : match.score;
      return row({ ...match, home: named(match.home), away: named(match.away) }, score);
    }),
  );
}
