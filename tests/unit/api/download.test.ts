import { setTimeout as wait } from 'node:timers/promises';
import { beginSending, mostSendings, streamText } from '@/lib/api/download';

const sized = (count: number, onEnd: () => void = () => undefined) =>
  (async function* () {
    try {
      for (let piece = 0; piece < count; piece += 1) {
        await wait(1);
        yield 'x'.repeat(70_000);
      }
    } finally {
      onEnd();
    }
  })();

describe('a text that is streamed', () => {
  test('comes whole, and ends once', async () => {
    const ends: unknown[] = [];
    const bytes = await new Response(streamText(sized(5), (failure) => ends.push(failure))).text();
    expect([bytes.length, ends]).toEqual([350_000, [undefined]]);
  });

  test('comes in small pieces that hold whole characters, however long those are that it is made in', async () => {
    const whole = `${'x'.repeat(65_535)}👩‍👩‍👧${'ż'.repeat(200_000)}👍`;
    const pieces: string[] = [];
    const once = (async function* () {
      yield whole;
    })();
    for await (const bytes of streamText(once, () => undefined) as unknown as AsyncIterable<Uint8Array>)
      pieces.push(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const longest = Math.max(...pieces.map((piece) => Buffer.byteLength(piece)));
    expect([pieces.join('') === whole, pieces.length]).toEqual([true, 8]);
    expect(longest).toBeLessThanOrEqual(65_536);
  });

  test('is made no further than it is read, and is given up when nobody reads on', async () => {
    let made = 0;
    const endless = (async function* () {
      try {
        for (;;) {
          made += 1;
          yield 'x'.repeat(70_000);
        }
      } finally {
        made = -made;
      }
    })();
    const ends: unknown[] = [];
    const reader = streamText(endless, (failure) => ends.push(failure), { patienceMilliseconds: 50 }).getReader();
    await reader.read();
    await wait(120);
    expect([ends, made < 0, made >= -4]).toEqual([[undefined], true, true]);
    await expect(
      (async () => {
        for (;;) if ((await reader.read()).done) return;
      })(),
    ).rejects.toThrow('Nobody read on');
  });

  test('is let go without a failure, even while a piece is made', async () => {
    const ends: unknown[] = [];
    let closed = 0;
    const reader = streamText(
      sized(100, () => (closed += 1)),
      (failure) => ends.push(failure),
    ).getReader();
    await reader.read();
    await reader.cancel();
    await wait(20);
    expect([ends, closed]).toEqual([[undefined], 1]);
  });

  test('tells of what failed', async () => {
    const failing = (async function* () {
      yield 'a';
      throw new Error('The database is gone.');
    })();
    const ends: unknown[] = [];
    await expect(new Response(streamText(failing, (failure) => ends.push(failure))).text()).rejects.toThrow(
      'The database is gone.',
    );
    expect(ends).toEqual([{ error: expect.objectContaining({ message: 'The database is gone.' }) }]);
  });
});

describe('files that are sent piece by piece', () => {
  test('are so many to one network and so many in all, and a place that is given back is free', () => {
    const own = Array.from({ length: mostSendings.network }, () => beginSending('192.0.2.9'));
    expect(() => beginSending('192.0.2.9')).toThrow(expect.objectContaining({ kind: 'too-many' }));
    const others = Array.from({ length: mostSendings.all - mostSendings.network }, (_, count) =>
      beginSending(`198.51.100.${count}`),
    );
    expect(() => beginSending('203.0.113.1')).toThrow(expect.objectContaining({ kind: 'unavailable', status: 503 }));
    own[0]?.();
    expect(() => beginSending('192.0.2.9')).not.toThrow();
    for (const end of [...own.slice(1), ...others]) end();
  });
});
