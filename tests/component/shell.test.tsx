import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { CrashedPage } from '@/components/shell/crashed-page';
import { Footer } from '@/components/shell/footer';
import { Header } from '@/components/shell/header';
import { MissingPage } from '@/components/shell/missing-page';
import { PageFrame } from '@/components/shell/page-frame';
import { RoutedSidebar } from '@/components/shell/routed-sidebar';
import { isActiveEntry, shownEntries, sideMenuEntries } from '@/components/shell/side-menu-entries';
import { Sidebar } from '@/components/shell/sidebar';
import { sports } from '@/lib/reference/schema/sports';

const router = { prefetch: jest.fn<void, [string]>() };
let path = '/football';

jest.mock('next/navigation', () => ({ usePathname: () => path, useRouter: () => router }));

const entries = sideMenuEntries(sports);
const titles = (list: HTMLElement) => within(list).getAllByRole('link').map((link) => link.textContent);

function menuEntry(href: string) {
  const entry = entries.find((candidate) => candidate.href === href);
  if (!entry) throw new Error(`no menu entry for ${href}`);
  return entry;
}

beforeEach(() => {
  path = '/football';
  router.prefetch.mockClear();
});

describe('the entries of the side menu', () => {
  it('show the five sports of the specification in its order and keep every other enabled sport for the expanded menu', () => {
    const shown = entries.filter((entry) => !entry.expanded).map((entry) => entry.href);
    expect(shown).toEqual(['/', '/football', '/horse-racing', '/tennis', '/american-football', '/basketball']);
    expect(entries).toHaveLength(1 + sports.filter((sport) => sport.enabled).length);
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

  it('keeps the other sports under a native disclosure', () => {
    render(<Sidebar entries={entries} activePath="/" />);
    const more = screen.getByText('More options').closest('details');
    expect(more).not.toHaveAttribute('open');
    expect(titles(more as HTMLElement)).toContain('Greyhounds');
    expect(titles(more as HTMLElement)).not.toContain('Football');
  });

  it('brings the current sport out of the disclosure, so that it is seen', () => {
    render(<Sidebar entries={entries} activePath="/golf" />);
    expect(titles(screen.getByRole('list', { name: 'Sports', hidden: true }))).toContain('Golf');
    expect(titles(screen.getByText('More options').closest('details') as HTMLElement)).not.toContain('Golf');
  });

  it('closes the disclosure on another page', () => {
    const { rerender } = render(<Sidebar entries={entries} activePath="/football" />);
    screen.getByText('More options').closest('details')?.setAttribute('open', '');
    rerender(<Sidebar entries={entries} activePath="/tennis" />);
    expect(screen.getByText('More options').closest('details')).not.toHaveAttribute('open');
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

describe('pointing at an entry of the side menu', () => {
  const point = (title: string, at: number) => {
    jest.spyOn(performance, 'now').mockReturnValue(at);
    fireEvent.pointerOver(screen.getByText(title));
  };

  afterEach(() => {
    jest.restoreAllMocks();
    Reflect.deleteProperty(navigator, 'connection');
  });

  it('preloads its page, at most once in 250 ms', () => {
    render(<RoutedSidebar entries={entries} />);
    point('Tennis', 1000);
    point('Basketball', 1249);
    point('Horse racing', 1250);
    expect(router.prefetch.mock.calls).toEqual([['/tennis'], ['/horse-racing']]);
  });

  it('preloads nothing while data is being saved', () => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
    render(<RoutedSidebar entries={entries} />);
    point('Tennis', 1000);
    expect(router.prefetch).not.toHaveBeenCalled();
  });
});

describe('the header', () => {
  it('opens the side menu without script: its button names the popover', () => {
    render(<Header />);
    expect(screen.getByRole('button', { name: 'Menu' })).toHaveAttribute('popovertarget', 'side-menu');
  });

  it('shows the logo at the size of the specification and leads home', () => {
    render(<Header />);
    const logo = screen.getByRole('img', { name: 'Tipledger' });
    expect(logo).toHaveAttribute('width', '272');
    expect(logo).toHaveAttribute('height', '86');
    expect(logo.closest('a')).toHaveAttribute('href', '/');
  });

  it('offers guests to log in and to sign up', () => {
    render(<Header />);
    expect(screen.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login');
    expect(screen.getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', '/register');
  });

  it('gives their place to the options of a member', () => {
    render(<Header account={<a href="/dashboard">Account</a>} status="Offline" />);
    expect(screen.getByRole('link', { name: 'Account' })).toBeVisible();
    expect(screen.getByText('Offline')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Log in' })).not.toBeInTheDocument();
  });
});

describe('the footer', () => {
  it('says that the site is for adults and where help is found', () => {
    render(<Footer help={{ name: 'A help line', href: 'https://help.example/', telephone: '0800 000 000' }} />);
    expect(screen.getByText('18+')).toBeVisible();
    expect(screen.getByRole('link', { name: 'A help line' })).toHaveAttribute('href', 'https://help.example/');
    expect(screen.getByRole('link', { name: '0800 000 000' })).toHaveAttribute('href', 'tel:0800000000');
  });

  it('promises no help line where none is set', () => {
    render(<Footer />);
    expect(screen.queryByText(/Worried about gambling/)).not.toBeInTheDocument();
  });

  it('names its groups of links', () => {
    render(<Footer links={[{ title: 'Sports', links: [{ href: '/golf', title: 'Golf' }] }]} />);
    const group = screen.getByRole('navigation', { name: 'Sports' });
    expect(within(group).getByRole('link', { name: 'Golf' })).toHaveAttribute('href', '/golf');
  });

  it('leaves the sign-up block out for members', () => {
    render(<Footer signUp={false} />);
    expect(screen.queryByRole('link', { name: 'Sign up' })).not.toBeInTheDocument();
  });
});

describe('the frame of a page', () => {
  it('begins with a link that skips to the content', () => {
    render(
      <PageFrame entries={entries}>
        <h1>Football</h1>
      </PageFrame>,
    );
    const [first] = screen.getAllByRole('link');
    expect(first).toHaveTextContent('Skip to the content');
    expect(document.querySelector(first?.getAttribute('href') as string)).toBe(screen.getByRole('main'));
    expect(within(screen.getByRole('main')).getByRole('heading', { name: 'Football' })).toBeVisible();
  });

  it('has one of each landmark', () => {
    render(<PageFrame entries={entries}>Text</PageFrame>);
    expect(screen.getByRole('banner')).toBeInTheDocument();
    expect(screen.getByRole('main')).toBeInTheDocument();
    expect(screen.getByRole('contentinfo')).toBeInTheDocument();
  });
});

describe('the error pages', () => {
  it('say that a page is missing and lead home and to every sport', () => {
    render(<MissingPage links={entries} />);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('There is no page at this address');
    expect(screen.getByText('404')).toBeVisible();
    expect(titles(screen.getByRole('navigation', { name: 'Go on from here' }))).toEqual(entries.map((entry) => entry.title));
  });

  it('offer to try a crashed page again and give the reference to quote', () => {
    const retry = jest.fn();
    render(<CrashedPage digest="1234567" onRetry={retry} />);
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(retry).toHaveBeenCalledTimes(1);
    expect(screen.getByText('500')).toBeVisible();
    expect(screen.getByText('1234567')).toBeVisible();
  });
});
