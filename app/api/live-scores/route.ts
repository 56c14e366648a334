import { handle } from '@/lib/api/handle';
import { getFixtureById, listLiveMatches, liveTtlSeconds } from '@/lib/fixtures/queries';
import { liveMatchesSchema, liveScoresBodySchema, liveScoresSchema } from '@/lib/fixtures/schema';
import { Failure } from '@/lib/platform/errors';
import { sports } from '@/lib/reference/schema';

export const POST = handle(
  {
    summary: 'The live score of a fixture, asked for by its id and sport',
    access: 'public',
    whileSuspended: true,
    body: liveScoresBodySchema,
    answers: liveScoresSchema,
    limit: { hits: 120, windowSeconds: 60 },
  },
  async ({ viewer, body, now }) => {
    const sport = sports.find(({ providerId }) => providerId === String(body.SportId));
    if (!sport) throw new Failure('missing', 'There is no sport of this number.');
    const { score, ...fixture } = await getFixtureById(viewer, { id: body.PSBetMatchId, sportId: sport.id }, now);
    return { fixture, score };
  },
);

export const GET = handle(
  {
    summary: 'The matches under way with their scores, those that began first before the others',
    access: 'public',
    answers: liveMatchesSchema,
    keptSeconds: liveTtlSeconds,
  },
  async ({ viewer, now }) => ({ matches: await listLiveMatches(viewer, {}, now) }),
);
