import { shouldServeStreamingMetadata } from 'next/dist/server/lib/streaming-metadata';
import { capture } from '@/lib/http/capture';

const { default: configure } = jest.requireActual<{ default: (phase: string) => Promise<{ htmlLimitedBots: RegExp }> }>(
  '../../../next.config.mjs',
);

test('a page is asked for in a name for which Next puts title and description into the head, whoever asks', async () => {
  const { htmlLimitedBots } = await configure('phase-production-server');
  for (const given of [{}, { 'user-agent': '' }, { 'user-agent': 'Somebody/1.0' }]) {
    const { body } = await capture(
      async (request, response) => void response.end(request.headers['user-agent']),
      '/',
      given,
    );
    expect(shouldServeStreamingMetadata(body.toString(), htmlLimitedBots.source)).toBe(false);
    expect(body.toString()).toBe('Tipledger');
  }
  expect(shouldServeStreamingMetadata('', htmlLimitedBots.source)).toBe(true);
});
