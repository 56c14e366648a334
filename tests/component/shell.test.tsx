import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { startFrame } from '@/components/shell/frame';
import { RoutedSidebar } from '@/components/shell/routed-sidebar';
import { isActiveEntry, shownEntries, sideMenuEntries } from '@/components/shell/side-menu-entries';
import { Sidebar } from '@/components/shell/sidebar';
import { sports } from '@/lib/reference/schema';
import { routeOf } from '@/lib/route-table';

let path = '/football';

jest.mock('next/navigation', () => ({ usePathname: () => path }));

const entries = sideMenuEntries(sports);

function menuEntry(href: string) {
  const entry = entries.find((candidate) => candidate.href === href);
  if (!entry) throw new Error(`no menu entry for ${href}`);
  return entry;
}

let stop = () => undefined as void;

beforeEach(() => {
  path = '/football';
});
afterEach(() => stop());

describe('the entries of the side menu', () => {
  it('show the five sports of the specification in its order and keep every other enabled sport for the expanded menu', () => {
    const shown = entries.filter((entry) => !entry.expanded).map((entry) => entry.href);
    expect(shown).toEqual([
      ...[
        '/dashboard',
        '/',
        '/tip-of-the-day',
        '/articles',
        '/tipster',
        '/fixture',
        '/ledger',
        '/football',
        '/horse-racing',
        '/tennis',
        '/american-football',
        '/basketball',
      ],
      ...['/bookmaker-reviews', '/betting-guides', '/betting-terms', '/bet-types', '/betting-strategies'],
    ]);
    expect(entries).toHaveLength(13 + sports.filter((sport) => sport.enabled).length);
  });

  it('carry the titles of the specification', () => {
    const titled = Object.fromEntries(entries.map(({ href, title }) => [href, title]));
    expect(titled).toMatchObject({
      '/dashboard': 'Account Dashboard',
      '/': 'Popular & Latest',
      '/tip-of-the-day': 'Free Tip of the Day',
      '/articles': 'News & Articles',
    });
    expect(menuEntry('/betting-scams').expanded).toBe(true);
  });

  it('are pages of the route table', () => {
    expect(entries.filter(({ href }) => routeOf(href) === null)).toEqual([]);
  });

  it('take the icons of sports from where the installation has them', () => {
    const golf = sideMenuEntries(sports, 'https://cdn.example/icons').find(({ href }) => href === '/golf');
    expect(golf?.icon).toEqual({
      src: 'https://cdn.example/icons/golf.svg',
      whiteSrc: 'https://cdn.example/icons/golf-white.svg',
    });
  });

  it('leave out a disabled sport', () => {
    const withoutGolf = sports.map((sport) => ({ ...sport, enabled: sport.enabled && sport.reference !== 'golf' }));
    expect(sideMenuEntries(withoutGolf).map((entry) => entry.href)).not.toContain('/golf');
  });

  it('agree with the short list that the error pages carry', () => {
    expect(entries.filter((entry) => !entry.expanded)).toEqual(shownEntries);
  });

  it.each([
    ['/football', '/football', true],
    ['/football', '/football/results', true],
    ['/football', '/football-pools', false],
    ['/', '/', true],
    ['/', '/football', false],
    ['/football', null, false],
    ['/football', '/add-tips/football', true],
    ['/football', '/add-tips', false],
    ['/tennis', '/add-tips/football', false],
    ['/', '/add-tips/', false],
    ['/articles', '/add-tips/articles', false],
  ])('are active or not: %s on the page %s is %s', (href, activePath, expected) => {
    expect(isActiveEntry(menuEntry(href), activePath)).toBe(expected);
  });
});

describe('the sidebar', () => {
  it('marks the entry of the page, and no other, as the current one', () => {
    render(<Sidebar entries={entries} activePath="/tennis" />);
    const current = screen.getAllByRole('link', { hidden: true }).filter((link) => link.hasAttribute('aria-current'));
    expect(current.map((link) => link.textContent)).toEqual(['Tennis']);
    expect(current[0]).toHaveAttribute('aria-current', 'page');
  });

  it('shows the other entries once More options is pressed', () => {
    render(<Sidebar entries={entries} activePath="/" />);
    stop = startFrame();
    const more = screen.getByRole('button', { name: 'More options', hidden: true });
    const list = document.getElementById(more.getAttribute('aria-controls') as string) as HTMLElement;
    expect(more).toHaveAttribute('aria-expanded', 'false');
    expect(list).not.toHaveAttribute('data-open');
    expect(screen.getByText('Greyhounds').closest('li')).toHaveAttribute('data-expanded');
    expect(screen.getByText('Football').closest('li')).not.toHaveAttribute('data-expanded');
    fireEvent.click(more);
    expect(list).toHaveAttribute('data-open');
    expect(screen.getByRole('button', { name: 'Fewer options', hidden: true })).toHaveAttribute(
      'aria-expanded',
      'true',
    );
  });

  it('shows the current sport without that, so that it is seen', () => {
    render(<Sidebar entries={entries} activePath="/golf" />);
    expect(screen.getByText('Golf').closest('li')).not.toHaveAttribute('data-expanded');
  });

  it('marks what only the installed app, or only the browser, shows', () => {
    render(<Sidebar entries={entries} activePath="/" />);
    expect(screen.getByText('Account Dashboard').closest('li')).toHaveAttribute('data-display', 'installed');
    expect(screen.getByText('Bet Types').closest('li')).toHaveAttribute('data-display', 'browser');
  });

  it('offers a way from its end back to its start', () => {
    render(<Sidebar entries={entries} activePath="/" />);
    const back = screen.getByRole('link', { name: 'Back to the start of the menu', hidden: true });
    const start = document.querySelector(back.getAttribute('href') as string);
    expect(start).toBe(screen.getByRole('navigation', { name: 'Main', hidden: true }));
    expect(start).toHaveAttribute('tabindex', '-1');
  });
});

describe('the sidebar opened as a drawer', () => {
  const hidePopover = jest.fn();

  function openDrawer() {
    render(
      <>
        <Sidebar entries={entries} activePath="/" />
        <main id="content" tabIndex={-1} />
      </>,
    );
    stop = startFrame();
    const drawer = document.getElementById('side-menu') as HTMLElement;
    drawer.addEventListener('click', (event) => event.preventDefault());
    drawer.hidePopover = hidePopover;
    return drawer;
  }

  const toggleTo = (drawer: HTMLElement, newState: string) =>
    act(() => {
      drawer.dispatchEvent(Object.assign(new Event('toggle'), { newState }));
    });

  beforeEach(() => hidePopover.mockClear());

  it('closes behind a followed link and moves the focus to the content', () => {
    const drawer = openDrawer();
    toggleTo(drawer, 'open');
    fireEvent.click(within(drawer).getByText('Football'));
    expect(hidePopover).toHaveBeenCalledTimes(1);
    expect(screen.getByRole('main')).toHaveFocus();
  });

  it('has the focus moved to the content of the document that the link led to, once', () => {
    sessionStorage.setItem('tipledger:followed-from-menu', location.href);
    openDrawer();
    expect(screen.getByRole('main')).toHaveFocus();
    expect(sessionStorage.getItem('tipledger:followed-from-menu')).toBeNull();
  });

  it('leaves the focus alone where another document came', () => {
    sessionStorage.setItem('tipledger:followed-from-menu', `${location.origin}/golf`);
    openDrawer();
    expect(screen.getByRole('main')).not.toHaveFocus();
    expect(sessionStorage.getItem('tipledger:followed-from-menu')).toBeNull();
  });

  it('stays when the link only leads back to its start', () => {
    const drawer = openDrawer();
    toggleTo(drawer, 'open');
    fireEvent.click(within(drawer).getByText('Back to the start of the menu'));
    expect(hidePopover).not.toHaveBeenCalled();
  });

  it('leaves the focus alone where it is a column', () => {
    const drawer = openDrawer();
    toggleTo(drawer, 'closed');
    fireEvent.click(within(drawer).getByText('Football'));
    expect(screen.getByRole('main')).not.toHaveFocus();
  });
});

describe('the side menu of every page', () => {
  it('marks the entry of the page that is shown', () => {
    path = '/tennis';
    render(<RoutedSidebar entries={entries} />);
    expect(screen.getByText('Tennis').closest('a')).toHaveAttribute('aria-current', 'page');
  });
});
