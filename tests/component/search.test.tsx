import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Islands } from '@/components/islands/islands';
import { ResultList } from '@/components/search/result-list';
import { SearchBar } from '@/components/search/search-bar';
import { SearchForm } from '@/components/search/search-form';
import { startFrame } from '@/components/shell/frame';
import { removeStored, writeStored } from '@/components/state/storage';
import type { SearchAnswer, SearchHit } from '@/lib/search/schema';

const left: string[] = [];
jest.mock('@/components/state/auth-navigation', () => ({ leaveFor: (address: string) => void left.push(address) }));
// jsdom has no database: what is stored goes to local storage.
jest.mock('idb-keyval', () => {
  const refuse = async () => Promise.reject(new DOMException('There is no database.', 'InvalidStateError'));
  return { createStore: () => () => undefined, get: refuse, set: refuse, del: refuse };
});

const hit = (kind: SearchHit['kind'], title: string, path: string, more: Partial<SearchHit> = {}): SearchHit => ({
  ...{ kind, reference: path.slice(1), title, path, detail: '', startsAt: null, startTimeKnown: false, demo: false },
  ...more,
});

const arsenal: SearchAnswer = {
  ...{ query: 'arsenal', matching: 'all', terms: ['arsenal'], total: 4 },
  groups: [
    {
      kind: 'fixture',
      count: 3,
      hits: [
        hit('fixture', 'Chelsea v Arsenal', '/fixture/a', {
          detail: 'Premier League · Football',
          startsAt: '2026-03-14T15:00:00.000Z',
          startTimeKnown: true,
          demo: true,
        }),
      ],
    },
    { kind: 'portfolio', count: 1, hits: [hit('portfolio', 'Arsenal Insider', '/tipster/arsenal-insider')] },
  ],
};

let answers: Record<string, SearchAnswer | number>;
const asked: string[] = [];
const aborted: string[] = [];

// What jsdom lacks: it lays nothing out.
beforeAll(() => void (Element.prototype.scrollIntoView = jest.fn()));

beforeEach(async () => {
  answers = { arsenal };
  asked.length = 0;
  aborted.length = 0;
  left.length = 0;
  await removeStored('recent-searches');
  global.fetch = jest.fn(async (address: string | URL | Request, init?: RequestInit) => {
    const q = new URL(String(address), 'http://localhost').searchParams.get('q') ?? '';
    asked.push(q);
    init?.signal?.addEventListener('abort', () => aborted.push(q));
    await new Promise((resolve) => setTimeout(resolve, 30));
    init?.signal?.throwIfAborted();
    const answer = answers[q] ?? { query: q, matching: 'all', terms: [q], total: 0, groups: [] };
    const status = typeof answer === 'number' ? answer : 200;
    return { ok: status === 200, status, json: async () => answer } as Response;
  });
});

let stop: () => void;
beforeEach(() => {
  stop = startFrame();
});
afterEach(() => stop());

const bar = () => (
  <>
    <SearchBar timeZone="Europe/London" />
    <Islands />
  </>
);

/** The field once it suggests. */
async function openField(): Promise<HTMLElement> {
  render(bar());
  act(() => screen.getByRole('searchbox', { name: 'Search the site' }).focus());
  return screen.findByRole('combobox', { name: 'Search the site' });
}

const type = (field: HTMLElement, value: string) => fireEvent.input(field, { target: { value } });
const press = (field: HTMLElement, key: string) => fireEvent.keyDown(field, { key });
const active = (field: HTMLElement) => document.getElementById(field.getAttribute('aria-activedescendant') ?? '');

describe('the search bar', () => {
  test('is a plain form until it is used, and asks for nothing', () => {
    render(bar());
    const form = screen.getByRole('search');
    expect(form).toHaveAttribute('action', '/search');
    expect(form).toHaveAttribute('method', 'get');
    expect(within(form).getByRole('searchbox')).toHaveAttribute('name', 'q');
    expect(screen.getByRole('button', { name: 'Open the search' })).toHaveAttribute('popovertarget', 'search-panel');
    expect(asked).toEqual([]);
  });

  test('suggests in groups what is typed, marks what matches, and says how much there is', async () => {
    const field = await openField();
    type(field, 'arsenal');
    const list = await screen.findByRole('listbox', { name: 'Suggestions' });
    const fixtures = await within(list).findByRole('group', { name: 'Fixtures' });
    expect(within(fixtures).getByRole('option')).toHaveTextContent(
      'Chelsea v Arsenal Demo dataSat 14 Mar 2026, 15:00 · Premier League · Football',
    );
    expect(fixtures.querySelector('mark')).toHaveTextContent('Arsenal');
    expect(within(list).getByRole('option', { name: 'All 4 results for “arsenal”' })).toHaveAttribute(
      'href',
      '/search?q=arsenal',
    );
    expect(field).toHaveAttribute('aria-expanded', 'true');
    expect(field).toHaveAttribute('aria-controls', list.id);
    expect(screen.getByRole('status')).toHaveTextContent('3 fixtures, 1 tipster. Use the arrow keys to choose.');
  });

  test('lets the arrow keys go round, through the field itself, and Enter take the one chosen', async () => {
    const field = await openField();
    type(field, 'arsenal');
    const [first, second, last] = await screen.findAllByRole('option');
    press(field, 'ArrowDown');
    expect(active(field)).toBe(first);
    expect(first).toHaveAttribute('aria-selected', 'true');
    press(field, 'ArrowDown');
    expect(active(field)).toBe(second);
    press(field, 'ArrowUp');
    press(field, 'ArrowUp');
    expect(active(field)).toBeNull();
    press(field, 'ArrowUp');
    expect(active(field)).toBe(last);
    const click = jest.fn((event: Event) => event.preventDefault());
    last?.addEventListener('click', click);
    press(field, 'Enter');
    expect(click).toHaveBeenCalledTimes(1);
    expect(field).toHaveAttribute('aria-expanded', 'false');
  });

  test('closes on Escape and keeps what is typed, and opens again by an arrow key', async () => {
    const field = await openField();
    type(field, 'arsenal');
    await screen.findAllByRole('option');
    const isLeftAlone = press(field, 'Escape');
    expect(isLeftAlone).toBe(false);
    expect(field).toHaveAttribute('aria-expanded', 'false');
    expect(field).toHaveValue('arsenal');
    expect(press(field, 'Escape')).toBe(true);
    press(field, 'ArrowDown');
    expect(field).toHaveAttribute('aria-expanded', 'true');
  });

  test('waits for a pause, calls off what is overtaken, and shows the last answer until the next', async () => {
    const field = await openField();
    type(field, 'ar');
    type(field, 'ars');
    type(field, 'arsenal');
    await screen.findAllByRole('option');
    expect(asked).toEqual(['arsenal']);
    type(field, 'arsenal x');
    await waitFor(() => expect(asked).toEqual(['arsenal', 'arsenal x']));
    expect(screen.getAllByRole('option')).toHaveLength(3);
    type(field, 'arsenal xy');
    expect(aborted).toContain('arsenal x');
    expect(await screen.findByText('No results for “arsenal xy”. Press Enter for ideas.')).toBeVisible();
  });

  test('asks nothing for a single letter', async () => {
    const field = await openField();
    type(field, 'a');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(asked).toEqual([]);
  });

  test('says when suggestions cannot be loaded, and still searches', async () => {
    answers.arsenal = 429;
    const field = await openField();
    type(field, 'arsenal');
    const sentence = 'Suggestions cannot be loaded now. Press Enter to search.';
    expect((await screen.findAllByText(sentence))[0]).toBeVisible();
    fireEvent.submit(screen.getByRole('search'));
    await waitFor(() => expect(left).toEqual(['/search?q=arsenal']));
  });

  test('offers what was last searched for before anything is typed, and forgets it when it is told to', async () => {
    await writeStored('recent-searches', ['golf', 'tennis']);
    const field = await openField();
    const recent = await screen.findByRole('group', { name: 'Recent searches' });
    expect(
      within(recent)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['golf', 'tennis']);
    expect(within(recent).getAllByRole('option')[0]).toHaveAttribute('href', '/search?q=golf');
    fireEvent.click(screen.getByRole('button', { name: 'Clear recent searches' }));
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Recent searches' })).toBeNull());
    expect(field).toHaveAttribute('aria-expanded', 'false');
  });

  test('keeps what is searched for, the newest first and none twice', async () => {
    await writeStored('recent-searches', ['golf', 'Arsenal', 'a', 'b', 'c']);
    const field = await openField();
    type(field, 'arsenal');
    fireEvent.submit(screen.getByRole('search'));
    act(() => field.blur());
    type(field, '');
    act(() => field.focus());
    await waitFor(() =>
      expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
        'arsenal',
        'golf',
        'a',
        'b',
        'c',
      ]),
    );
  });

  test.each([
    ['/', {}],
    ['k', { ctrlKey: true }],
    ['K', { metaKey: true }],
  ])('is reached by %s', async (key, more) => {
    render(bar());
    const field = screen.getByRole('searchbox');
    // jsdom has no layout: nothing stands in the page for it, so every field seems to be in a closed panel.
    const panel = document.getElementById('search-panel') as HTMLElement;
    panel.showPopover = jest.fn();
    fireEvent.keyDown(document.body, { key, ...more });
    expect(field).toHaveFocus();
    expect(panel.showPopover).toHaveBeenCalledTimes(1);
    await screen.findByRole('combobox');
  });

  test('leaves a stroke alone that is typed into another field', () => {
    render(
      <>
        {bar()}
        <input aria-label="Other" />
      </>,
    );
    const other = screen.getByRole('textbox', { name: 'Other' });
    other.focus();
    expect(fireEvent.keyDown(other, { key: '/' })).toBe(true);
    expect(other).toHaveFocus();
  });
});

describe('the search page', () => {
  test('has a form that holds what was asked', () => {
    render(<SearchForm question="man utd" />);
    expect(screen.getByRole('searchbox', { name: 'What to look for' })).toHaveValue('man utd');
  });

  test('lists what was found with what it belongs to, as text whatever is in it', () => {
    render(
      <ResultList
        label="Tipsters"
        hits={[hit('portfolio', '<b>Arsenal</b> & co', '/tipster/x', { detail: 'By ann · 2 followers' })]}
        terms={['ars']}
        timeZone="UTC"
      />,
    );
    const item = within(screen.getByRole('list', { name: 'Tipsters' })).getByRole('link', { name: /By ann/ });
    expect(item).toHaveAttribute('href', '/tipster/x');
    expect(item).toHaveTextContent('<b>Arsenal</b> & coBy ann · 2 followers');
    // The dot stays with what it follows: it never begins a line.
    expect(item.textContent).toContain('ann\u00a0· 2 followers');
    expect(item.querySelector('mark')).toHaveTextContent('Ars');
  });
});
