import { act, render, screen, within } from '@testing-library/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { LiveRaceCard } from '@/components/fixtures/live-race-card';
import { RaceCardTable } from '@/components/fixtures/race-card';
import { Island } from '@/components/islands/island';
import type { LiveNews } from '@/components/state/live-line';
import { type Identity, showGuest, showMember } from '@/components/state/viewer';
import { raceCard } from '@/lib/fixtures/rules';
import type { FixtureDetail, MarketsView, RunnerView } from '@/lib/fixtures/schema';
import { defaultCountry, Role } from '@/lib/reference/schema';
import { market, marketsView, quote, selection } from '../support/markets';
import { fixtureRow } from '../unit/fixtures/rows';

const listeners = new Set<(news: LiveNews) => void>();
jest.mock('@/components/state/live', () => ({
  watchTopic: (_: string, tell: (news: LiveNews) => void) => {
    listeners.add(tell);
    return () => listeners.delete(tell);
  },
}));

const answers = new Map<string, unknown>();
beforeEach(() => {
  answers.clear();
  global.fetch = jest.fn(async (address: string | URL | Request) => {
    const answer = answers.get(String(address));
    return {
      ok: answer !== undefined,
      status: answer === undefined ? 503 : 200,
      headers: new Headers(),
      text: async () => (typeof answer === 'string' ? answer : JSON.stringify(answer ?? {})),
    } as Response;
  });
});

const names = ['Ash', 'Elm', 'Oak', 'Yew', 'Fir'];
const gone = { at: '2026-03-10T12:00:00.000Z', price: null };
const runner = (name: string, index: number, withdrawal: RunnerView['withdrawal']): RunnerView => ({
  ...{ reference: name.toLowerCase(), name, number: index + 1, withdrawal, selectionId: index + 1, form: [] },
  ...{ startingPrice: null, position: null, jockey: 'A. Rider', trainer: null, weightPounds: null, draw: null },
});

/** A race in which Oak is at this price, and Elm is withdrawn or not. */
function raceAt(oak: number, isOut = false): { fixture: FixtureDetail; view: MarketsView } {
  const startsAt = '2126-03-10T20:00:00.000Z';
  const view = marketsView([
    market(
      1,
      'outright-winner',
      names.map((name, index) => ({
        ...selection(index + 1, name.toLowerCase(), name, [
          quote(name === 'Oak' ? oak : 3000 + index, { pulled: isOut && name === 'Elm' }),
        ]),
        withdrawn: isOut && name === 'Elm',
      })),
    ),
  ]);
  const runners = names.map((name, index) => runner(name, index, isOut && name === 'Elm' ? gone : null));
  const row = fixtureRow({ ...{ reference: 'ayr', name: 'Ayr 20:00', sportReference: 'horse-racing', startsAt } });
  return { fixture: { ...row, handicap: false, placesKnown: 0, runners }, view: { ...view, startsAt } };
}

const props = { reference: 'ayr', startsAt: '2126-03-10T20:00:00.000Z', isOver: false } as const;
const seen = { display: 'decimal', timeZone: 'Europe/London' } as const;

function page(oak: number, isOut = false): string {
  const { fixture, view } = raceAt(oak, isOut);
  return renderToStaticMarkup(
    <Island name="live race card" props={{ ...props, ...seen }}>
      <RaceCardTable fixture={fixture} card={raceCard(fixture, view)} {...seen} />
    </Island>,
  );
}

const change = (facts?: unknown) =>
  act(async () => {
    for (const tell of listeners) tell({ topic: 'fixture:ayr', kind: 'change', facts } as LiveNews);
    await new Promise((resolve) => setTimeout(resolve, 1_400));
  });
const rowOf = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }));
const order = () => screen.getAllByRole('rowheader').map(({ firstElementChild }) => firstElementChild?.textContent);

describe('the race card of an open page, for a guest', () => {
  beforeEach(() => {
    document.body.innerHTML = page(6000);
    const root = document.querySelector('[data-island]')?.appendChild(document.createElement('div'));
    render(<LiveRaceCard {...props} {...seen} />, { container: root as HTMLElement });
  });
  afterEach(() => document.body.replaceChildren());

  test('has the prices of now in the places where they are seen, and is in them as before', async () => {
    const before = order();
    const button = screen.getByRole('button', { name: 'Oak 6.00 at Bet One' });
    button.focus();
    answers.set('/', page(2000));
    await change();
    expect(button).toHaveAccessibleName('Oak 2.00 at Bet One');
    expect(button).toHaveFocus();
    expect(order()).toEqual(before);
  });

  test('strikes out who is withdrawn meanwhile, with no price to press, and counts the others alone', async () => {
    expect(document.querySelector('p')).toHaveTextContent(/^5 runners. Standard each-way terms: 2 places/);
    rowOf('Elm').getByRole('button').focus();
    answers.set('/', page(6000, true));
    await change();
    expect(rowOf('Elm').queryByRole('button')).toBeNull();
    expect(screen.getByRole('row', { name: /Elm/ })).toHaveTextContent('Withdrawn');
    expect(screen.getByRole('row', { name: /Elm/ })).toHaveFocus();
    expect(document.querySelector('p')).toHaveTextContent(/^4 of 5 runners. Too few runners/);
  });
});

describe('the race card of an open page, for a member', () => {
  beforeEach(() => {
    document.documentElement.dataset.country = String(defaultCountry.id);
    act(() =>
      showMember(Role.user, {
        user: { username: 'amy', emailConfirmed: true },
        settings: { countryId: defaultCountry.id, timezoneId: 40, oddsDisplayType: 'decimal' },
        portfolios: [],
      } as unknown as Identity),
    );
  });
  afterEach(() => act(() => showGuest()));

  const answer = (oak: number, isOut = false, positions: readonly string[] = []) => {
    const { fixture, view } = raceAt(oak, isOut);
    const runners = fixture.runners.map((each) => ({
      ...each,
      position: positions.includes(each.name) ? positions.indexOf(each.name) + 1 : null,
    }));
    answers.set('/api/fixture/ayr', { ...fixture, runners });
    answers.set('/api/fixture/ayr/markets?showAll=true&pinnacleOnly=false', view);
  };
  const asked = () =>
    (global.fetch as jest.Mock<unknown, [unknown]>).mock.calls.filter(([address]) => address === '/api/fixture/ayr');

  test('keeps each runner where the page showed it, whatever moves and whoever is withdrawn', async () => {
    document.body.innerHTML = page(6000);
    const root = document.querySelector('[data-island]')?.appendChild(document.createElement('div'));
    const { unmount } = render(<LiveRaceCard {...props} {...seen} />, { container: root as HTMLElement });
    const own = () =>
      [...(root?.querySelectorAll('tbody th') ?? [])].map(({ firstElementChild }) => firstElementChild?.textContent);
    const before = order();
    answer(2000);
    await change();
    expect(own()).toEqual(before);
    answer(1500, true);
    await change();
    expect(root).toHaveTextContent('Withdrawn');
    expect(own()).toEqual(before);
    unmount();
    document.body.replaceChildren();
  });

  test('asks for the runners where one was withdrawn or a result came, not with each price', async () => {
    render(<LiveRaceCard {...props} {...seen} />);
    answer(2000);
    await change({ version: 0 });
    answer(2200);
    await change({ version: 0 });
    expect(await screen.findByRole('button', { name: 'Oak 2.20 at Bet One' })).toBeInTheDocument();
    expect(asked()).toHaveLength(1);
    answer(2200, true);
    await change({ version: 0 });
    expect(asked()).toHaveLength(2);
    answer(2200, true, ['Yew', 'Ash']);
    await change({ version: 1 });
    expect(asked()).toHaveLength(3);
    expect(order().slice(0, 2)).toEqual(['Yew', 'Ash']);
  });

  test('asks for the runners again with the next price where there was no answer', async () => {
    render(<LiveRaceCard {...props} {...seen} />);
    answer(2000);
    answers.delete('/api/fixture/ayr');
    await change({ version: 0 });
    expect(screen.queryByRole('table')).toBeNull();
    answer(2200);
    await change({ version: 0 });
    expect(await screen.findByRole('button', { name: 'Oak 2.20 at Bet One' })).toBeInTheDocument();
  });

  test('is nothing until something moved, then has the runners and the prices of now, each time anew', async () => {
    const { container } = render(<LiveRaceCard {...props} {...seen} />);
    expect(container).toBeEmptyDOMElement();
    answer(2000);
    await change();
    expect(await screen.findByRole('button', { name: 'Oak 2.00 at Bet One' })).toBeInTheDocument();
    answer(2000, true);
    await change();
    expect(await screen.findByText(/^4 of 5 runners/)).toBeInTheDocument();
    expect(rowOf('Elm').queryByRole('button')).toBeNull();
  });
});
