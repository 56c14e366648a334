import { z } from 'zod';
import { eventStreamOf } from '@/lib/stream/event-stream';
import { handle } from '@/lib/api/handle';
import { openStream } from '@/lib/stream/stream';
import { streamQuerySchema } from '@/lib/stream/topics';

export const GET = handle(
  {
    summary:
      'Server-sent events: that a fixture, the matches under way, a portfolio, what the member follows, their news or their account changed; resumes after the Last-Event-ID',
    access: 'public',
    query: streamQuerySchema,
    headers: z.object({ 'last-event-id': z.string().max(100).optional() }),
    answers: eventStreamOf(),
    limit: { hits: 120, windowSeconds: 60 },
  },
  ({ viewer, query: { topics }, headers, caller }) =>
    openStream({ viewer, topics, address: caller.address, lastEventId: headers['last-event-id'] || null }),
);
