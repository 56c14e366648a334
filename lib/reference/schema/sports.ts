import { z } from 'zod';

/** Spec §3: a sport; `rank` is its place in menus from 1, `minutesBeforeResult` how long after the start its result is first asked for. */
export const sportSchema = z.strictObject({
  id: z.int().positive(),
  providerId: z.string().min(1),
  reference: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  name: z.string().min(1),
  enabled: z.boolean(),
  rank: z.int().positive(),
  imageUrl: z.string().startsWith('/images/sports/'),
  maskableImageUrl: z.string().startsWith('/images/sports/'),
  minutesBeforeResult: z.int().positive(),
  description: z.string().min(1).nullable(),
});

/** Spec §3: a sport. */
export type Sport = z.infer<typeof sportSchema>;

/** Spec §9: width and height of a sport's icon. */
export const sportIconPixels = 20;

// id, reference, name, rank, minutesBeforeResult, description; ids and references are kept by fixtures, tips and links.
const rows = [
  [
    1,
    'football',
    'Football',
    1,
    240,
    'Tips on leagues, cups and internationals, from the match result to goals and handicaps.',
  ],
  [
    2,
    'horse-racing',
    'Horse racing',
    2,
    45,
    'Flat and jumps tips, win and each-way, with withdrawals and dead heats settled by the rules.',
  ],
  [
    3,
    'american-football',
    'American football',
    4,
    240,
    'Tips on the professional and college game: winners, point handicaps and totals.',
  ],
  [4, 'basketball', 'Basketball', 5, 240, 'Tips on winners, point handicaps and totals, overtime included.'],
  [5, 'baseball', 'Baseball', 14, 360, 'Tips on winners, run lines and total runs across a long season.'],
  [6, 'e-sports', 'E-sports', 20, 240, 'Tips on professional video-game matches: winners, map handicaps and totals.'],
  [7, 'australian-rules', 'Australian rules', 21, 240, 'Tips on Australian football: winners, lines and total points.'],
  [8, 'boxing', 'Boxing', 10, 240, 'Tips on who wins a fight, and on the draw.'],
  [
    9,
    'cricket',
    'Cricket',
    6,
    540,
    'Tips on Tests, one-day and Twenty20 matches, the draw included where there is one.',
  ],
  [10, 'handball', 'Handball', 18, 240, 'Tips on club and international handball: winners, handicaps and total goals.'],
  [11, 'mma', 'MMA', 11, 120, 'Tips on mixed martial arts fights, from the main event to the undercard.'],
  [12, 'ice-hockey', 'Ice hockey', 15, 480, 'Tips on winners, puck lines and total goals.'],
  [
    13,
    'rugby-league',
    'Rugby league',
    9,
    240,
    'Tips on club and international rugby league: winners, handicaps and total points.',
  ],
  [
    14,
    'rugby-union',
    'Rugby union',
    8,
    240,
    'Tips on club and international rugby union: winners, handicaps and total points.',
  ],
  [15, 'snooker', 'Snooker', 13, 600, 'Tips on match winners, frame handicaps and tournament winners.'],
  [16, 'tennis', 'Tennis', 3, 240, 'Tips on tour and Grand Slam tennis: winners, sets and games.'],
  [17, 'darts', 'Darts', 12, 240, 'Tips on match winners, leg and set handicaps and tournament winners.'],
  [18, 'motor-racing', 'Motor racing', 16, 240, 'Tips on race winners and championships on four wheels and two.'],
  [19, 'golf', 'Golf', 7, 4800, 'Tips on tournament winners, win and each-way, over the four days of play.'],
  [20, 'greyhounds', 'Greyhounds', 17, 45, 'Tips on greyhound races, win and each-way.'],
  [21, 'volleyball', 'Volleyball', 19, 45, 'Tips on match winners, set betting and total points.'],
] as const;

const disabled: readonly string[] = ['australian-rules'];

/**
 * Spec §3: the 21 sports by id. Ours: the ranks, of which the first five are the menu's (spec §2.2), and `providerId`, which
 * is the id as text because we are the provider; feeds map their own identifiers to references.
 */
export const sports: readonly Sport[] = rows.map(([id, reference, name, rank, minutesBeforeResult, description]) => ({
  id,
  providerId: String(id),
  reference,
  name,
  enabled: !disabled.includes(reference),
  rank,
  imageUrl: `/images/sports/${reference}.svg`,
  maskableImageUrl: `/images/sports/${reference}-white.svg`,
  minutesBeforeResult,
  description,
}));
