import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { offeredChannels, sendSample } from '@/lib/notifications/commands';
import { channelNames } from '@/lib/notifications/schema';

export const POST = handle(
  {
    summary: 'Sends the member one message by a channel, so that they see how news come',
    access: 'confirmed',
    body: z.strictObject({ channel: z.enum(channelNames, `channel must be one of ${channelNames.join(', ')}`) }),
    answers: z.object({ channel: z.enum(channelNames) }),
    limit: { hits: 10, windowSeconds: 600 },
  },
  async ({ viewer, body: { channel }, now }) => {
    await sendSample(viewer, channel, offeredChannels(), now);
    return { channel };
  },
);
