import { z } from 'zod';
import type { FeedFixture, FeedResult } from '@/lib/fixtures/schema';
import { quoted } from '../file-text';
import { readTeams } from '../names';
import { type Competition, leagueOf, seasonOf } from './competitions';
import { type Notice, readMarkets } from './markets';

const text = z.string('must be text');

const eventSchema = z.object(
  {
    id: text.min(1, 'must be given').max(100, 'must be 100 characters at most'),
    sport_title: text.optional(),
    commence_time: z.iso
      .datetime('must be a moment such as 2026-09-07T16:30:00Z')
      .refine((moment) => /^(19|20)\d{2}-/.test(moment), 'must be a moment of this century or the last'),
    home_team: text.nullish(),
    away_team: text.nullish(),
  },
  'must be an object',
);

const pricedSchema = eventSchema.extend({ bookmakers: z.array(z.unknown(), 'must be a list') });

const scoredSchema = eventSchema.extend({
  completed: z.boolean('must be true or false'),
  scores: z
    .array(
      z.object({
        name: text,
        score: z.union([z.string(), z.number()], 'must be a number in quotation marks').nullable(),
      }),
      'must be a list or null',
    )
    .nullable(),
});

/** A fixture with what had to be left out of it, or the key of the event and one sentence that say why it was rejected. */
export type EventReading =
  | { ok: true; fixture: FeedFixture; notices: Notice[] }
  | { ok: false; column: string | null; problem: string };

/** The sport that events were asked for: the source's key and what it stands for. */
export type AskedSport = { key: string; competition: Competition };

type Refusal = Extract<EventReading, { ok: false }>;

function refusal(error: z.ZodError): Refusal {
  const [issue] = error.issues;
  const column = issue?.path.join('.') || null;
  return { ok: false, column, problem: `${column ?? 'The event'} ${issue?.message ?? 'cannot be read'}.` };
}

/** Reads an event of the odds: who plays, when, and the bookmakers' prices as they are on offer at a moment. */
export function readPricedEvent(value: unknown, sport: AskedSport, at: Date): EventReading {
  const parsed = pricedSchema.safeParse(value);
  if (!parsed.success) return refusal(parsed.error);
  const fixture = fixtureOf(parsed.data, sport);
  if (!fixture.ok) return fixture;
  const { home, away } = fixture.fixture;
  const { markets, wholeOffers, notices } = readMarkets(parsed.data.bookmakers, {
    home,
    away,
    competition: sport.competition,
  });
  const offers = { markets, wholeOffers: { at: at.toISOString(), offers: wholeOffers } };
  return { ok: true, fixture: { ...fixture.fixture, ...offers }, notices };
}

/** Reads an event of the scores: who plays, when, and the result once it is completed. */
export function readScoredEvent(value: unknown, sport: AskedSport): EventReading {
  const parsed = scoredSchema.safeParse(value);
  if (!parsed.success) return refusal(parsed.error);
  const fixture = fixtureOf(parsed.data, sport);
  const { completed, scores } = parsed.data;
  if (!fixture.ok || !completed) return fixture;
  const { home, away } = fixture.fixture;
  const points = [home, away].map((name) => (scores ?? []).find((score) => score.name === name)?.score ?? null);
  const [own, other] = points.map((score) => (/^\d{1,3}$/.test(String(score)) ? Number(score) : null));
  if (own === undefined || own === null || other === undefined || other === null) {
    const given = points.map((score) => (score === null ? 'none' : quoted(String(score)))).join(' and ');
    return {
      ...fixture,
      notices: [
        {
          column: 'scores',
          reason: `The match is completed, but its scores are ${given}, not whole numbers for both sides; it was left without a result.`,
          once: null,
        },
      ],
    };
  }
  const result: FeedResult = { home: own, away: other, halfTime: null };
  return { ...fixture, fixture: { ...fixture.fixture, result } };
}

function fixtureOf(event: z.infer<typeof eventSchema>, { key, competition }: AskedSport): EventReading {
  const { id, commence_time: start, home_team: home, away_team: away } = event;
  const teams = readTeams(
    { column: 'home_team', text: home?.trim() ?? '' },
    { column: 'away_team', text: away?.trim() ?? '' },
  );
  if (!teams.ok) return teams;
  const startsAt = new Date(start).toISOString();
  return {
    ok: true,
    fixture: {
      sourceId: id,
      sportReference: competition.sportReference,
      league: leagueOf(competition, key, event.sport_title),
      season: seasonOf(competition, startsAt),
      home: teams.home,
      away: teams.away,
      startsAt,
      startTimeKnown: true,
      result: null,
      markets: [],
    },
    notices: [],
  };
}
