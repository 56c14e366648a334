import { z } from 'zod';
import type { MarketKind } from '@/lib/fixtures/schema';

const score = String.raw`(0|[1-9]\d?)-(0|[1-9]\d?)`;
const sides = z.enum(['home', 'away']);
const results = z.enum(['home', 'draw', 'away']);
const participant = z
  .string()
  .regex(
    /^(p[1-9]\d{0,9}|runner-[a-z0-9]+(-[a-z0-9]+)*)$/,
    'must be p and the id of a participant, such as p123, or a runner as feeds name it, such as runner-red-rum',
  );

/**
 * The keys that a market's selections may have, by its kind: a correct score and a set score stand from the home side
 * ('2-1', '0-2'), 'other' is every score that the market does not list, 'home/draw' is the half-time result and then
 * the full-time one, 'p123' is the participant with the id 123, 'runner-red-rum' one that a feed knows by name alone. A winner of
 * many is settled by the participant's id that stands beside the key, a scorer, who is no participant, by the key.
 */
export const selectionKeySchemas = {
  'match-result': results,
  'double-chance': z.enum(['home-draw', 'home-away', 'draw-away']),
  'draw-no-bet': sides,
  total: z.enum(['over', 'under']),
  'asian-handicap': sides,
  'european-handicap': results,
  'both-teams-to-score': z.enum(['yes', 'no']),
  'correct-score': z.string().regex(new RegExp(`^(${score}|other)$`), "must be a score such as 2-1, or 'other'"),
  'half-time-full-time': z.templateLiteral([results, '/', results]),
  moneyline: sides,
  'set-betting': z
    .string()
    .regex(new RegExp(`^${score}$`), 'must be the sets of each side, such as 2-0')
    .refine((key) => new Set(key.split('-')).size === 2, 'must have a winner, such as 2-0'),
  'outright-winner': participant,
  scorer: participant,
} as const satisfies Record<MarketKind, z.ZodType<string>>;

/** The id of the participant that a key such as 'p123' names; null for every other key. */
export const participantOf = (key: string): number | null => (/^p\d+$/.test(key) ? Number(key.slice(1)) : null);
