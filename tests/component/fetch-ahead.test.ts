import { fireEvent } from '@testing-library/react';
import { act } from 'react';
import { fetchAhead } from '@/components/start/fetch-ahead';

const asked: string[] = [];
let areRulesThere = true;

// Of the patterns of the browser what the rules use: names of parts of a path.
class Pattern {
  readonly #path: RegExp;

  constructor(path: string, origin: string) {
    this.#path = new RegExp(`^${origin}${path.replace(/:\w+/g, '[^/?]+')}(\\?.*)?$`);
  }

  test(address: string): boolean {
    return this.#path.test(address);
  }
}

const rules = {
  prefetch: [
    {
      where: {
        and: [
          { href_matches: ['/:sport', '/tipster/:reference'] },
          { not: { href_matches: ['/register'] } },
          { not: { selector_matches: '[download]' } },
        ],
      },
    },
  ],
};

async function answer(address: string): Promise<Response> {
  asked.push(address.replace(location.origin, ''));
  if (address !== '/speculation-rules.json') return { arrayBuffer: async () => new ArrayBuffer(0) } as Response;
  if (!areRulesThere) throw new TypeError('Failed to fetch');
  return { ok: true, text: async () => JSON.stringify(rules) } as Response;
}

beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(globalThis, { URLPattern: Pattern, fetch: answer });
  asked.length = 0;
  areRulesThere = true;
  document.body.innerHTML = `
    <main></main>
    <a href="/tennis"><span>Tennis</span></a> <a href="/tennis#odds">Odds</a> <a href="/cricket">Cricket</a>
    <a href="/register">Sign up</a> <a href="/golf" download>File</a> <a href="https://example.com/golf">Away</a>`;
});
afterEach(() => {
  stop();
  jest.useRealTimers();
});

let stop = () => {};
const start = () => void (stop = fetchAhead());

async function pointAt(selector: string, milliseconds = 300): Promise<void> {
  const target = document.querySelector(selector);
  if (!target) throw new Error(`There is no ${selector}.`);
  fireEvent.pointerOver(target);
  await act(() => jest.advanceTimersByTimeAsync(milliseconds));
}

it('fetches the page of a link that is pointed at, once, and another after a second', async () => {
  start();
  await pointAt('a[href="/tennis"] span', 100);
  await pointAt('main');
  expect(asked).toEqual([]);
  await pointAt('a[href="/tennis"] span');
  expect(asked).toEqual(['/speculation-rules.json', '/tennis']);
  await pointAt('a[href="/cricket"]');
  await pointAt('main', 1_000);
  await pointAt('a[href="/tennis#odds"]');
  expect(asked).toEqual(['/speculation-rules.json', '/tennis']);
  await pointAt('a[href="/cricket"]');
  expect(asked).toEqual(['/speculation-rules.json', '/tennis', '/cricket']);
});

it.each(['/register', '/golf', 'https://example.com/golf'])(
  'does not fetch %s, which the rules leave out',
  async (href) => {
    start();
    await pointAt(`a[href="${href}"]`);
    expect(asked).toEqual(['/speculation-rules.json']);
  },
);

it('asks for the rules again where they did not come', async () => {
  start();
  areRulesThere = false;
  await pointAt('a[href="/tennis"]');
  areRulesThere = true;
  await pointAt('a[href="/tennis"]');
  expect(asked).toEqual(['/speculation-rules.json', '/speculation-rules.json', '/tennis']);
});

it('fetches nothing for whoever saves data, and where the browser cannot match addresses', async () => {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
  start();
  await pointAt('a[href="/tennis"]');
  Reflect.deleteProperty(navigator, 'connection');
  Reflect.deleteProperty(globalThis, 'URLPattern');
  stop();
  start();
  await pointAt('a[href="/tennis"]');
  expect(asked).toEqual([]);
});

describe('where the browser knows speculation rules', () => {
  beforeEach(() => void Object.assign(HTMLScriptElement, { supports: (type: string) => type === 'speculationrules' }));
  afterEach(() => {
    Reflect.deleteProperty(HTMLScriptElement, 'supports');
    for (const script of given()) script.remove();
  });

  const given = () => [...document.querySelectorAll<HTMLScriptElement>('script[type="speculationrules"]')];

  it('gives them to it, and fetches no page itself', async () => {
    start();
    await pointAt('a[href="/tennis"]');
    expect(asked).toEqual(['/speculation-rules.json']);
    expect(given().map(({ textContent }) => JSON.parse(textContent ?? ''))).toEqual([rules]);
  });

  it('gives none to whoever saves data, and none that did not come', async () => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
    start();
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    Reflect.deleteProperty(navigator, 'connection');
    expect(asked).toEqual([]);
    areRulesThere = false;
    start();
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    expect([asked, given()]).toEqual([['/speculation-rules.json'], []]);
  });
});
