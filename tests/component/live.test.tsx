import { act, render, screen, within } from '@testing-library/react';
import { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { TextDecoder as NodeTextDecoder, TextEncoder as NodeTextEncoder } from 'node:util';
import { LiveScores } from '@/components/fixtures/live-scores';
import { Island } from '@/components/islands/island';
import { Islands } from '@/components/islands/islands';
import { watchTopic } from '@/components/state/live';
import { askTopic, openLine, readEvent, type LiveNews } from '@/components/state/live-line';
import type { LiveMatch } from '@/lib/fixtures/schema';

jest.mock('next/navigation', () => ({
  useRouter: () => ({ refresh: () => undefined, prefetch: () => undefined }),
  usePathname: () => '/',
}));

const now = new Date('2026-03-10T12:20:00.000Z');
const matchOf = (index: number, more: Partial<LiveMatch['live']> = {}): LiveMatch => ({
  reference: `home-${index}-v-away-${index}`,
  sportId: 1,
  sportReference: 'football',
  sportName: 'Football',
  leagueName: 'Northern League',
  home: `Home ${index}`,
  away: `Away ${index}`,
  demo: false,
  live: {
    homeTeamScore: 1,
    awayTeamScore: 0,
    period: 'First half',
    clock: { minutes: 0, until: 45, since: '2026-03-10T12:00:00.000Z' },
    scores: [],
    ended: false,
    ...more,
  },
});

// What browsers have and jsdom has not.
Object.assign(globalThis, { TextDecoder: NodeTextDecoder });
const encoder = new NodeTextEncoder();
const eventText = (name: string, data: object, id = 'abcdef01-1') =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Answers each question for the stream as told, one after the other, and every other question with JSON; tells which were asked. */
function answerWith(streams: (string | null)[], json: unknown = {}) {
  const asked: { url: string; headers: Record<string, string> }[] = [];
  let turn = 0;
  const answer = async (url: string, { headers = {}, signal }: RequestInit = {}) => {
    asked.push({ url, headers: headers as Record<string, string> });
    if (!url.startsWith('/api/stream'))
      return { ok: true, status: 200, text: async () => JSON.stringify(json) } as Response;
    const text = streams[Math.min(turn, streams.length - 1)] ?? null;
    turn += 1;
    if (text === null) throw new TypeError('refused');
    const body = new NodeReadableStream({
      start: (controller) => {
        controller.enqueue(encoder.encode(text));
        signal?.addEventListener('abort', () => controller.error(new Error('aborted')));
      },
    });
    return { ok: true, status: 200, body } as unknown as Response;
  };
  global.fetch = jest.fn(answer) as unknown as typeof fetch;
  return asked;
}

const settle = async (milliseconds: number) =>
  act(async () => void (await jest.advanceTimersByTimeAsync(milliseconds)));
const showPage = (state: 'visible' | 'hidden') => {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
};

beforeEach(() => {
  jest.useFakeTimers();
  showPage('visible');
});
afterEach(() => jest.useRealTimers());

describe('the matches under way', () => {
  test('are nothing where there are none', () => {
    expect(render(<LiveScores matches={[]} now={now} />).container).toBeEmptyDOMElement();
  });

  test('stand with minute, league and score, the side ahead first to be heard as it stands', () => {
    render(<LiveScores matches={[matchOf(1)]} now={now} named />);
    const region = screen.getByRole('region', { name: 'Under way' });
    expect(within(region).getByText('21′')).toBeVisible();
    expect(within(region).getByText('Football, Northern League')).toBeVisible();
    expect(within(region).getByRole('link', { name: 'Home 1 1 Away 1 0' })).toHaveAttribute(
      'href',
      '/fixture/home-1-v-away-1',
    );
  });

  test('show the sets so far, and the period where no clock runs', () => {
    const scores = [
      { displayName: 'Set 1', homeTeamScore: 6, awayTeamScore: 4 },
      { displayName: 'Set 2', homeTeamScore: 2, awayTeamScore: 3 },
    ];
    render(<LiveScores matches={[matchOf(1, { period: 'Set 2', clock: null, scores })]} now={now} />);
    expect(screen.getByText('Set 2')).toBeVisible();
    expect(screen.getByRole('link')).toHaveTextContent('Home 1 6 2 1 Away 1 4 3 0');
  });

  test('of ten, two wait behind a word', () => {
    render(<LiveScores matches={Array.from({ length: 10 }, (_, index) => matchOf(index))} now={now} />);
    expect(screen.getByText('10 matches')).toBeVisible();
    expect(screen.getByText('2 more under way')).toBeVisible();
  });
});

describe('the line', () => {
  const open = (topics: readonly string[] = ['live', 'fixture:a-v-b']) => {
    const news: LiveNews[] = [];
    return { news, end: openLine({ topics, tell: (one) => news.push(one) }) };
  };

  test('tells what the stream does, and resumes it after the last event once it has ended', async () => {
    const asked = answerWith([
      eventText('open', { version: 1 }) +
        ': pulse\n\n' +
        eventText('state', { topic: 'live', version: 1, facts: { matches: [] } }) +
        eventText('change', { topic: 'fixture:a-v-b', version: 2 }, 'abcdef01-2'),
    ]);
    const { news, end } = open();
    await settle(10);
    expect(news).toEqual([
      { topic: 'live', kind: 'state', facts: { matches: [] } },
      { topic: 'fixture:a-v-b', kind: 'change' },
    ]);
    // Without a pulse the line counts as dead.
    await settle(50_000);
    expect(asked.map(({ url, headers }) => [url, headers['last-event-id']])).toEqual([
      ['/api/stream?topics=live%2Cfixture%3Aa-v-b', undefined],
      ['/api/stream?topics=live%2Cfixture%3Aa-v-b', 'abcdef01-2'],
    ]);
    end();
  });

  test('asks the ordinary calls after two refusals, in rounds, and nothing once it has ended', async () => {
    const asked = answerWith([null], { matches: [] });
    const { news, end } = open(['live', 'fixture:a-v-b', 'followed']);
    await settle(3_000);
    expect(asked.filter(({ url }) => !url.startsWith('/api/stream')).map(({ url }) => url)).toEqual([
      '/api/live-scores',
      '/api/fixture/a-v-b/score',
    ]);
    expect(news.map(({ topic, kind, facts }) => [topic, kind, facts !== undefined])).toEqual(
      expect.arrayContaining([
        ['live', 'change', true],
        ['fixture:a-v-b', 'change', true],
        ['followed', 'change', false],
      ]),
    );
    const first = asked.length;
    await settle(11_000);
    expect(asked.length).toBeGreaterThan(first);
    end();
    const last = asked.length;
    await settle(300_000);
    expect(asked.length).toBe(last);
  });

  test('reads an event by its fields and takes a comment for none', () => {
    expect(readEvent('id: 1\nevent: change\ndata: {"a":"b: c"}')).toEqual({
      id: '1',
      name: 'change',
      data: '{"a":"b: c"}',
    });
    expect(readEvent(': pulse')).toEqual({ id: null, name: '', data: '' });
  });

  test('asks the ordinary call of a topic for its facts, where there is one', async () => {
    const asked = answerWith([]);
    await Promise.all([askTopic('live'), askTopic('fixture:x')]);
    expect(asked.map(({ url }) => url)).toEqual(['/api/live-scores', '/api/fixture/x/score']);
    expect([askTopic('followed'), askTopic('portfolio:x')]).toEqual([null, null]);
  });
});

describe('a page', () => {
  test('listens while it is in sight and lets go of the line when it is not', async () => {
    const asked = answerWith([eventText('state', { topic: 'live', version: 1, facts: { matches: [] } })]);
    const news: LiveNews[] = [];
    const stop = watchTopic('live', (one) => news.push(one));
    await settle(2_000);
    expect([asked.length, news.length]).toEqual([1, 1]);
    showPage('hidden');
    await settle(120_000);
    expect(asked.length).toBe(1);
    showPage('visible');
    await settle(500);
    expect(asked.length).toBe(2);
    expect(news.filter(({ kind }) => kind === 'change')).toEqual([{ topic: 'live', kind: 'change' }]);
    stop();
    await settle(120_000);
    expect(asked.length).toBe(2);
  });

  test('goes on after what it heard last when it listens to more', async () => {
    const asked = answerWith([eventText('open', { version: 5 }, 'abcdef01-5')]);
    const stops = [watchTopic('followed', () => undefined)];
    await settle(2_000);
    stops.push(watchTopic('fixture:a-v-b', () => undefined));
    await settle(500);
    expect(asked.map(({ url, headers }) => [url, headers['last-event-id']])).toEqual([
      ['/api/stream?topics=followed', undefined],
      ['/api/stream?topics=fixture%3Aa-v-b%2Cfollowed', 'abcdef01-5'],
    ]);
    for (const stop of stops) stop();
  });

  test('asks once for its topics where another tab has the line already', async () => {
    answerWith([null]);
    const held = (names: string[]) => {
      const query = async () => ({ held: names.map((name) => ({ name })), pending: [] });
      const value = { request: () => new Promise(() => undefined), query };
      Object.defineProperty(navigator, 'locks', { value, configurable: true });
    };
    const toldWhile = async (names: string[]) => {
      held(names);
      const told: LiveNews[] = [];
      const stop = watchTopic('fixture:a-v-b', (news) => told.push(news));
      await settle(50);
      stop();
      return told;
    };
    expect(await toldWhile(['another-lock'])).toEqual([]);
    expect(await toldWhile(['another-lock', 'tipledger-live'])).toEqual([{ topic: 'fixture:a-v-b', kind: 'change' }]);
    Reflect.deleteProperty(navigator, 'locks');
  });

  test('is told nothing while the visitor saves data', async () => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
    const asked = answerWith([null]);
    const stop = watchTopic('live', () => undefined);
    await settle(60_000);
    expect(asked).toEqual([]);
    stop();
    Object.defineProperty(navigator, 'connection', { value: undefined, configurable: true });
  });

  test('shows what it came with until something newer is told, then that in its place', async () => {
    answerWith([
      eventText('state', { topic: 'live', version: 1, facts: { matches: [matchOf(1, { homeTeamScore: 3 })] } }),
    ]);
    render(
      <>
        <Island name="live scores" props={{ sportId: undefined }}>
          <LiveScores matches={[matchOf(1)]} now={now} named />
        </Island>
        <Islands />
      </>,
    );
    expect(screen.getByRole('link', { name: 'Home 1 1 Away 1 0' })).toBeInTheDocument();
    await settle(50);
    await settle(1_000);
    expect(screen.getByRole('link', { name: 'Home 1 3 Away 1 0' })).toBeInTheDocument();
  });
});
