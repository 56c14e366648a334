import { z } from 'zod';
import { openedTo } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { listFollowing } from '@/lib/accounts/queries';
import { getScore, listLiveMatches } from '@/lib/fixtures/queries';
import { referenceSchema } from '@/lib/fixtures/schema';
import { countUnread, findNewsTags } from '@/lib/notifications/queries';
import { now as present } from '@/lib/platform/clock';
import { isFailure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';
import { portfolioReferenceSchema } from '@/lib/portfolios/schema';
import { guest } from '@/lib/http/viewer';

/** Ours: how many topics one stream carries. */
export const mostTopics = 40;

/** A topic of the stream with the tags of the cache that tell of its changes, and the one that tells that these tags are others now; null where they stay. */
export type WatchedTopic = { topic: string; tags: readonly string[]; renewedBy: string | null };

const isReference = (schema: z.ZodType, text: string | undefined) =>
  text !== undefined && schema.safeParse(text).success;

const plainTopics = ['live', 'followed', 'news', 'account'];

function isTopic(topic: string): boolean {
  if (plainTopics.includes(topic)) return true;
  const [kind, reference, ...rest] = topic.split(':');
  if (rest.length > 0) return false;
  return (
    (kind === 'fixture' && isReference(referenceSchema, reference)) ||
    (kind === 'portfolio' && isReference(portfolioReferenceSchema, reference))
  );
}

/** GET /stream: `live`, `followed`, `news`, `account`, `fixture:{reference}` and `portfolio:{reference}`, with commas between them. */
export const streamQuerySchema = z.object({
  topics: z
    .string('topics must be given once')
    .max(8_000, 'topics is too long')
    .transform((text) => [
      ...new Set(
        text
          .split(',')
          .map((topic) => topic.trim())
          .filter(Boolean),
      ),
    ])
    .refine((topics) => topics.length > 0, 'topics must name what to tell of, such as live')
    .refine((topics) => topics.length <= mostTopics, `a stream carries ${mostTopics} topics at most`)
    .refine(
      (topics) => topics.every(isTopic),
      "topics must be 'live', 'followed', 'news', 'account', 'fixture:' or 'portfolio:' with a reference, with commas between them",
    ),
});

/** The topics that this viewer may hear of, with their tags; one that is not theirs to see is left out, as if there were no such thing. */
export async function watchable(viewer: Viewer, topics: readonly string[]): Promise<WatchedTopic[]> {
  const found = await Promise.all(topics.map((topic) => watch(viewer, topic)));
  return found.flatMap((tags, index) => {
    const topic = topics[index] ?? '';
    return tags === null ? [] : [{ topic, tags, renewedBy: renewedBy(viewer, topic) }];
  });
}

// Whoever follows, joins or takes up a portfolio drops what is kept of their account.
const renewedBy = (viewer: Viewer, topic: string) =>
  viewer.kind === 'member' && (topic === 'followed' || topic === 'news') ? `account:${viewer.accountId}` : null;

async function watch(viewer: Viewer, topic: string): Promise<readonly string[] | null> {
  if (topic === 'live') return ['live', 'fixtures'];
  if (topic === 'followed')
    return viewer.kind === 'guest'
      ? null
      : (await listFollowing(viewer)).map(({ portfolioReference }) => `portfolio:${portfolioReference}`);
  if (topic === 'news') return viewer.kind === 'guest' ? null : findNewsTags(viewer, present());
  if (topic === 'account') return viewer.kind === 'guest' ? null : [`account:${viewer.accountId}`];
  if (topic.startsWith('fixture:')) return [topic];
  try {
    await getPortfolio(viewer, topic.slice('portfolio:'.length));
    return [topic];
  } catch (error) {
    if (isFailure(error, 'missing')) return null;
    throw error;
  }
}

/** What everybody may know of a topic at once: the matches under way, the score of a fixture; null of all others, of which the ordinary calls tell. */
export async function factsOf(topic: string, now: Date): Promise<unknown> {
  try {
    if (topic === 'live') return { matches: await listLiveMatches(guest(), {}, now) };
    return topic.startsWith('fixture:') ? await getScore(guest(), topic.slice('fixture:'.length), now) : null;
  } catch (error) {
    if (isFailure(error, 'missing')) return null;
    throw error;
  }
}

/** What this viewer may know of a topic as their stream opens: what everybody may, how many of their own news are unread, and what their account opens. */
export async function ownFactsOf(viewer: Viewer, topic: string, now: Date): Promise<unknown> {
  if (topic === 'account' && viewer.kind === 'member')
    return { user: { hasProMembership: viewer.pro }, opens: openedTo(viewer) };
  return topic === 'news' ? { unread: await countUnread(viewer, now) } : factsOf(topic, now);
}
