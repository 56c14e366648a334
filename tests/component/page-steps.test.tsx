import { act, fireEvent, render, screen } from '@testing-library/react';
import { PageSteps } from '@/components/shell/page-steps';
import { type Identity, showGuest, showMember } from '@/components/state/viewer';
import { SiteLink } from '@/components/ui/site-link';
import { Role } from '@/lib/reference/schema/enumerations';

const router = { push: jest.fn<void, [string]>(), prefetch: jest.fn<void, [string]>() };

jest.mock('next/navigation', () => ({ useRouter: () => router }));

const identity = {
  user: { username: 'bob', emailConfirmed: true },
  settings: {},
  portfolios: [],
} as unknown as Identity;
const beMember = () => act(() => showMember(Role.user, identity));
// Documents are not loaded here: whoever would leave says so.
const leaving = jest.fn();
const leave = (event: MouseEvent) => {
  if (!event.defaultPrevented) leaving((event.target as Element).textContent);
  event.preventDefault();
};

beforeEach(() => {
  history.replaceState(null, '', '/football?days=7');
  for (const mock of [router.push, router.prefetch, leaving]) mock.mockClear();
  window.addEventListener('click', leave);
  act(() => showGuest());
  render(
    <>
      <PageSteps />
      <SiteLink href="/tipster/ann-football/tips/abcdefghij?from=home#odds">
        <b>A tip</b>
      </SiteLink>
      <SiteLink href="/tennis">Tennis</SiteLink>
      <SiteLink href="/golf">Golf</SiteLink>
      <SiteLink href="/darts">Darts</SiteLink>
      <SiteLink href="/dashboard">Dashboard</SiteLink>
      <SiteLink href="/football?days=7">Here</SiteLink>
      <SiteLink href="#part">A part</SiteLink>
      <a href="/portfolio/ann-football/ledger">A file</a>
      <a href="/golf" target="_blank">
        A window
      </a>
      <a href="https://elsewhere.example/golf">Elsewhere</a>
    </>,
  );
});

afterEach(() => window.removeEventListener('click', leave));

const click = (text: string, keys = {}) => fireEvent.click(screen.getByText(text), keys);

describe('the links of a page', () => {
  it('lead a guest to documents', () => {
    click('A tip');
    fireEvent.pointerOver(screen.getByText('Tennis'));
    expect(leaving.mock.calls).toEqual([['A tip']]);
    expect(router.push).not.toHaveBeenCalled();
    expect(router.prefetch).not.toHaveBeenCalled();
  });

  it('take a member through the router, with all of the address', () => {
    beMember();
    click('A tip');
    click('Dashboard');
    expect(router.push.mock.calls).toEqual([['/tipster/ann-football/tips/abcdefghij?from=home#odds'], ['/dashboard']]);
    expect(leaving).not.toHaveBeenCalled();
  });

  it('stay the browser’s where they lead to the page itself, to what is no page, elsewhere or to another window', () => {
    beMember();
    for (const text of ['Here', 'A part', 'A file', 'A window', 'Elsewhere']) click(text);
    for (const key of ['ctrlKey', 'metaKey', 'shiftKey', 'altKey']) click('Golf', { [key]: true });
    expect(leaving.mock.calls.flat()).toEqual([
      'Here',
      'A part',
      'A file',
      'A window',
      'Elsewhere',
      'Golf',
      'Golf',
      'Golf',
      'Golf',
    ]);
    expect(router.push).not.toHaveBeenCalled();
  });

  it('lead to documents again once the member has left', () => {
    beMember();
    act(() => showGuest());
    click('Golf');
    expect(leaving.mock.calls).toEqual([['Golf']]);
  });
});

describe('pointing at a link', () => {
  const point = (text: string, at: number) => {
    jest.spyOn(performance, 'now').mockReturnValue(at);
    fireEvent.pointerOver(screen.getByText(text));
  };

  beforeEach(() => beMember());
  afterEach(() => {
    jest.restoreAllMocks();
    Reflect.deleteProperty(navigator, 'connection');
  });

  it('fetches the page of a member ahead, at most once in 250 ms', () => {
    point('Tennis', 1000);
    point('Golf', 1249);
    point('Darts', 1250);
    point('Darts', 2000);
    expect(router.prefetch.mock.calls).toEqual([['/tennis'], ['/darts']]);
  });

  it('fetches nothing whose row of the route table does not say so', () => {
    point('Dashboard', 1000);
    point('A file', 2000);
    expect(router.prefetch).not.toHaveBeenCalled();
  });

  it('fetches nothing while data is being saved', () => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
    point('Tennis', 1000);
    expect(router.prefetch).not.toHaveBeenCalled();
  });
});
