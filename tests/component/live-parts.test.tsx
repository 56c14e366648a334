import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { LiveFeed } from '@/components/fixtures/live-feed';
import { LiveOdds } from '@/components/fixtures/live-odds';
import { LiveScoreboard } from '@/components/fixtures/live-scoreboard';
import { HistoricalOdds } from '@/components/modals/historical-odds';
import { openFromPage } from '@/components/modals/open-from-page';
import { ShareTip } from '@/components/modals/share-tip';
import { Island } from '@/components/islands/island';
import { OddsGridTable } from '@/components/odds/odds-grid';
import { markViewer } from '@/components/state/interaction';
import type { LiveNews } from '@/components/state/live-line';
import { type Identity, showGuest, showMember } from '@/components/state/viewer';
import { oddsGrid } from '@/lib/fixtures/rules';
import { defaultCountry, Role } from '@/lib/reference/schema';
import type { FixtureView, MarketsView, QuoteView } from '@/lib/fixtures/schema';
import { awaitingResult } from '../support/scores';

const refresh = jest.fn();
jest.mock('next/navigation', () => ({
  useRouter: () => ({ refresh: () => refresh(), prefetch: () => undefined }),
  usePathname: () => '/',
}));

const listeners = new Map<string, (news: LiveNews) => void>();
jest.mock('@/components/state/live', () => ({
  watchTopic: (topic: string, listener: (news: LiveNews) => void) => {
    listeners.set(topic, listener);
    return () => listeners.delete(topic);
  },
}));

const answers = new Map<string, unknown>();
beforeEach(() => {
  refresh.mockClear();
  answers.clear();
  listeners.clear();
  global.fetch = jest.fn(async (address: string | URL | Request) => {
    const answer = answers.get(String(address));
    return {
      ok: answer !== undefined,
      status: answer === undefined ? 503 : 200,
      statusText: '',
      headers: new Headers(),
      text: async () => (typeof answer === 'string' ? answer : JSON.stringify(answer ?? {})),
    } as Response;
  });
});

const topic = 'fixture:rovers-v-town';
const tell = (news: Partial<LiveNews> & { topic?: string } = {}) =>
  act(async () => listeners.get(news.topic ?? topic)?.({ topic, kind: 'change', ...news }));
const soonest = () => act(async () => void (await new Promise((resolve) => setTimeout(resolve, 400))));

const score = (more: Partial<FixtureView['score']> = {}): FixtureView['score'] => ({
  ...awaitingResult,
  ...more,
});
const side = (id: number, name: string) => ({ id, reference: name.toLowerCase(), name });
const fixture: FixtureView = {
  id: 1,
  reference: 'rovers-v-town',
  name: 'Rovers v Town',
  sportId: 1,
  sportReference: 'football',
  sportName: 'Football',
  league: { id: 1, reference: 'northern', name: 'Northern League', sportId: 1, territory: null },
  season: '2025-26',
  home: side(1, 'Rovers'),
  away: side(2, 'Town'),
  startsAt: '2026-03-10T12:00:00.000Z',
  startTimeKnown: true,
  started: false,
  score: score(),
  sources: ['demo'],
  demo: false,
};
const live = { homeTeamScore: 2, awayTeamScore: 1, period: 'Half-time', clock: null, scores: [], ended: false };

describe('the scoreboard', () => {
  beforeEach(() => answers.set('/api/fixture/rovers-v-town', fixture));
  const show = () =>
    render(<LiveScoreboard reference="rovers-v-town" timeZone="Europe/London" timeZoneName="UK time" />);

  test('is nothing before the match has begun, then stands as the match does and says a change of the score once', async () => {
    const { container } = show();
    await tell({ kind: 'state', facts: score() });
    expect(container).toBeEmptyDOMElement();
    await tell({ facts: score({ live }) });
    expect(await screen.findByRole('heading', { name: 'Rovers 2–1 Town' })).toBeVisible();
    expect(screen.getByText('Half-time')).toBeVisible();
    expect(screen.getByRole('status')).toHaveTextContent('Rovers 2, Town 1');
    await tell({
      facts: score({
        version: 1,
        status: 'complete',
        finalScore: { displayName: '3–1', homeTeamScore: 3, awayTeamScore: 1 },
      }),
    });
    expect(screen.getByRole('heading', { name: 'Rovers 3–1 Town' })).toBeVisible();
    expect(screen.getByRole('status')).toHaveTextContent('Rovers 3, Town 1, full time');
  });

  test('asks for the fixture again with the next score, where there was no answer', async () => {
    answers.delete('/api/fixture/rovers-v-town');
    const { container } = show();
    await tell({ facts: score({ live }) });
    await soonest();
    expect(container).toBeEmptyDOMElement();
    answers.set('/api/fixture/rovers-v-town', fixture);
    await tell({ facts: score({ live: { ...live, homeTeamScore: 3 } }) });
    expect(await screen.findByRole('heading', { name: 'Rovers 3–1 Town' })).toBeVisible();
  });

  test('asks for the score where it is told only that it changed', async () => {
    answers.set('/api/fixture/rovers-v-town/score', score({ live }));
    show();
    await tell();
    expect(await screen.findByRole('heading', { name: 'Rovers 2–1 Town' })).toBeVisible();
  });
});

const quote = (bookmakerId: number, oddsThousandths: number): QuoteView => {
  const price = { oddsThousandths, fraction: null };
  return {
    bookmakerId,
    odds: oddsThousandths / 1000,
    price,
    opening: price,
    closing: null,
    openedAt: '2026-03-09T12:00:00.000Z',
    changedAt: '2026-03-10T11:00:00.000Z',
    pulled: false,
  };
};
const markets = (one: number, two: number): MarketsView => ({
  fixtureReference: 'rovers-v-town',
  startsAt: '2999-03-10T12:00:00.000Z',
  empty: null,
  bookmakers: [1, 2].map((id) => ({
    id,
    reference: `book-${id}`,
    name: `Book ${id}`,
    rating: null,
    exchange: false,
    demo: true,
  })),
  markets: [
    {
      id: 3,
      kind: 'match-result',
      name: 'Match result',
      line: null,
      period: 'full-time',
      includesOvertime: false,
      selections: [
        {
          ...{ id: 5, key: 'home', name: 'Rovers', selectedOdds: 2, withdrawn: false },
          odds: [quote(1, one), quote(2, two)],
        },
      ],
    },
  ],
});

describe('the grid of a market, for a guest', () => {
  const live = { reference: 'rovers-v-town', startsAt: '2126-03-07T15:00:00.000Z', isOver: false, marketId: 3 };
  const page = (one: number, two: number, name = 'Rovers') => {
    const view = markets(one, two);
    const [market] = view.markets.map((each) => ({
      ...each,
      selections: each.selections.map((selection) => ({ ...selection, name })),
    }));
    if (!market) throw new Error('The view has no market.');
    return renderToStaticMarkup(
      <Island name="live odds" props={{ ...live, display: 'decimal' }}>
        <OddsGridTable caption="Odds: Match result" grid={oddsGrid(market, view, false)} display="decimal" />
      </Island>,
    );
  };
  const row = () => within(screen.getByRole('row', { name: /^Rovers/ }));
  let root: HTMLElement;

  beforeEach(() => {
    document.body.innerHTML = page(2000, 2100);
    const island = document.querySelector<HTMLElement>('[data-island]');
    if (!island) throw new Error('The page has no island.');
    root = island.appendChild(document.createElement('div'));
    render(<LiveOdds {...live} display="decimal" />, { container: root });
  });
  afterEach(() => document.body.replaceChildren());

  const change = async (html: string) => {
    answers.set('/', html);
    await tell();
    await act(async () => void (await new Promise((resolve) => setTimeout(resolve, 1_400))));
  };

  test('is renewed from the page itself once a price moved, never by the call for markets, with what moved marked', async () => {
    await soonest();
    expect(screen.queryByText(/just/)).toBeNull();
    expect(global.fetch).not.toHaveBeenCalled();
    await change(page(1800, 2100));
    expect(screen.getByText('just shortened:').closest('td')).toHaveTextContent('1.80');
    expect(screen.getAllByText(/just/)).toHaveLength(1);
    expect(screen.getByRole('region', { name: 'Odds: Match result' })).toBeVisible();
    expect(jest.mocked(global.fetch).mock.calls.map(([address]) => address)).toEqual(['/']);
  });

  test('keeps from the first time on who is in it, and what is pressed, and marks only what moved since', async () => {
    const [, kept] = screen.getAllByRole('button', { name: 'Rovers 2.10 at Book 2' });
    const changed = screen.getByRole('button', { name: 'Rovers 2.00 at Book 1' });
    kept?.setAttribute('aria-pressed', 'true');
    changed.focus();
    await change(page(1800, 2100));
    expect(root).toBeEmptyDOMElement();
    expect(changed).toHaveFocus();
    expect(changed).toHaveAccessibleName('Rovers 1.80 at Book 1');
    expect(kept).toBeInTheDocument();
    expect(kept).toHaveAttribute('aria-pressed', 'true');
    await change(page(1900, 2100));
    expect(changed).toHaveFocus();
    expect(screen.getByText('just drifted:').closest('td')).toHaveTextContent(/1\.90/);
    expect(screen.getAllByText(/just/)).toHaveLength(1);
  });

  test('keeps who is at a price that becomes the best, and every column in its place', async () => {
    const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    const before = heads();
    screen.getByRole('button', { name: 'Rovers 2.00 at Book 1' }).focus();
    await change(page(2200, 2100));
    expect(heads()).toEqual(before);
    expect(document.activeElement).toHaveAccessibleName('Rovers 2.20 at Book 1');
    expect(document.activeElement?.closest('td')).toHaveTextContent('(best price)');
  });

  test('stays as it is while the page cannot be had, and is shown anew where its selections are others', async () => {
    await tell();
    await soonest();
    expect(row().getAllByText('2.10').length).toBeGreaterThan(0);
    await act(async () => void (await new Promise((resolve) => setTimeout(resolve, 1_100))));
    await change(page(1800, 2100, 'Rangers'));
    expect(screen.getByRole('row', { name: /^Rangers/ })).toBeVisible();
    expect(screen.queryByRole('row', { name: /^Rovers/ })).toBeNull();
    expect(screen.queryByText(/just/)).toBeNull();
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the grid of a market, for a member', () => {
  beforeEach(() =>
    act(() =>
      showMember(Role.user, {
        user: { username: 'amy', emailConfirmed: true },
        settings: { countryId: defaultCountry.id, timezoneId: 40, oddsDisplayType: 'decimal' },
        portfolios: [],
      } as unknown as Identity),
    ),
  );
  beforeEach(() => void (document.documentElement.dataset.country = String(defaultCountry.id)));
  afterEach(() => act(() => showGuest()));

  test('is nothing until a price moved, then has the prices of now, with what moved marked in words and by an arrow', async () => {
    const address = '/api/fixture/rovers-v-town/markets?showAll=true&pinnacleOnly=false';
    answers.set(address, markets(2000, 2100));
    const { container } = render(
      <LiveOdds
        reference="rovers-v-town"
        startsAt="2126-03-07T15:00:00.000Z"
        isOver={false}
        marketId={3}
        display="decimal"
      />,
    );
    await tell({ kind: 'state', facts: score() });
    await soonest();
    expect(container).toBeEmptyDOMElement();
    await tell();
    await soonest();
    expect(within(screen.getByRole('row', { name: /^Rovers/ })).getAllByText('2.10').length).toBeGreaterThan(0);
    answers.set(address, markets(1800, 2100));
    await tell();
    await soonest();
    const moved = within(screen.getByRole('row', { name: /^Rovers/ })).getByText('just shortened:');
    expect(moved.closest('td')).toHaveTextContent('1.80');
    expect(screen.getAllByText(/just/).length).toBe(1);
  });
});

describe('the feed', () => {
  const newest = '2026-03-10T12:00:00.000Z';
  const show = () => render(<LiveFeed newest={newest} kind="all" />);

  beforeEach(() => markViewer('member'));
  afterEach(() => markViewer('guest'));

  test('says how much is new and shows it when asked', async () => {
    answers.set('/api/user/feed?kind=all', {
      items: [{ at: '2026-03-10T12:02:00.000Z' }, { at: '2026-03-10T12:01:00.000Z' }, { at: newest }],
      next: null,
    });
    show();
    await tell({ topic: 'followed' });
    fireEvent.click(await screen.findByRole('button', { name: 'Show 2 new entries' }));
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  test('shows at once what changed of the entries that are there', async () => {
    answers.set('/api/user/feed?kind=all', { items: [{ at: newest }], next: null });
    show();
    await tell({ topic: 'followed' });
    expect(refresh).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

test('the price history marks the price that a tip took, in the chart and in the table', async () => {
  const change = (at: string, oddsThousandths: number) => ({
    at,
    timeKnown: true,
    price: { oddsThousandths, fraction: null },
    closing: false,
  });
  const changes = [change('2026-03-10T09:00:00.000Z', 2500), change('2026-03-10T10:00:00.000Z', 2250)];
  const series = ['One', 'Two'].map((bookmakerName, index) => ({
    selectionId: 7,
    selectionName: 'Rovers',
    bookmakerId: index + 1,
    bookmakerName,
    changes,
  }));
  answers.set('/api/odds-history/rovers-v-town/7', {
    marketName: 'Match result',
    selectionName: 'Rovers',
    history: { marketId: 1, series },
  });
  render(
    <HistoricalOdds
      fixtureReference="rovers-v-town"
      selectionId={7}
      taken={{ oddsThousandths: 2500, at: '2026-03-10T09:30:00.000Z', bookmakerName: 'Two' }}
    />,
  );
  const table = await screen.findByRole('table');
  expect(
    within(table)
      .getAllByText('taken by the tip')
      .map((mark) => mark.closest('tr')?.textContent),
  ).toEqual([expect.stringContaining('2.50')]);
  expect(within(table).getByText('taken by the tip').closest('tbody')).toHaveTextContent(/^Two/);
  expect(screen.getByRole('img')).toHaveAccessibleName(expect.stringContaining('taken at 2.50'));
});

test('a leg hands the price it took to the price history, which is for members', () => {
  const link = document.createElement('a');
  Object.assign(link.dataset, {
    modal: 'historical odds',
    fixture: 'rovers-v-town',
    selection: '7',
    taken: '2500',
    takenAt: '2026-03-10T09:30:00.000Z',
    bookmaker: 'Two',
  });
  expect(openFromPage(link)).toBe(false);
});

test('a tip is shared with its picture, to look at and to keep', () => {
  render(
    <ShareTip
      portfolioReference="ann"
      tipReference="abcdefghjk"
      title="Rovers"
      image="/api/share/ann/abcdefghjk/0123456789ab"
      onClose={() => undefined}
    />,
  );
  expect(screen.getByRole('img', { name: 'The picture that goes with the link: Rovers' })).toHaveAttribute(
    'src',
    '/api/share/ann/abcdefghjk/0123456789ab',
  );
  expect(screen.getByRole('link', { name: 'Download the picture' })).toHaveAttribute(
    'download',
    'tipledger-tip-abcdefghjk.png',
  );
});
