import { fireEvent, render, screen, within } from '@testing-library/react';
import { CrashedPage } from '@/components/shell/crashed-page';
import { Footer } from '@/components/shell/footer';
import { startFrame } from '@/components/shell/frame';
import { Header } from '@/components/shell/header';
import { MissingPage } from '@/components/shell/missing-page';
import { PageFrame } from '@/components/shell/page-frame';
import { sideMenuEntries } from '@/components/shell/side-menu-entries';
import { sports } from '@/lib/reference/schema';

jest.mock('next/navigation', () => ({ usePathname: () => '/football', useRouter: () => ({ prefetch: jest.fn() }) }));

const entries = sideMenuEntries(sports);
const titles = (list: HTMLElement) =>
  within(list)
    .getAllByRole('link')
    .map((link) => link.textContent);

describe('the header', () => {
  it('puts the side menu of the desktop away and brings it back', () => {
    render(<Header />);
    const stop = startFrame();
    const toggle = screen.getByRole('button', { name: 'Side menu', hidden: true });
    fireEvent.click(toggle);
    expect(toggle).toHaveAttribute('aria-expanded', 'false');
    expect(document.documentElement).toHaveAttribute('data-side-menu', 'closed');
    fireEvent.click(toggle);
    expect(document.documentElement).toHaveAttribute('data-side-menu', 'open');
    stop();
  });

  it('has no buttons of a menu where there is none', () => {
    render(<Header menu={false} look="dark" />);
    expect(screen.queryByRole('button', { hidden: true })).not.toBeInTheDocument();
    expect(screen.getByRole('img', { name: 'Tipledger' })).toHaveAttribute('src', '/images/logo-white.svg');
  });

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
    render(<Footer help={{ name: 'A help line', url: 'https://help.example/', telephone: '0800 000 000' }} />);
    expect(screen.getByText('18+')).toBeVisible();
    expect(screen.getByRole('link', { name: 'A help line' })).toHaveAttribute('href', 'https://help.example/');
    expect(screen.getByRole('link', { name: '0800 000 000' })).toHaveAttribute('href', 'tel:0800000000');
  });

  it('says whose time the pages tell, and marks it for a member to see their own', () => {
    render(<Footer />);
    expect(screen.getByText(/^All times are/)).toHaveTextContent('All times are UK time.');
    expect(screen.getByText('UK time')).toHaveAttribute('data-zone-name');
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

  it('offers to sign up', () => {
    render(<Footer />);
    expect(screen.getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', '/register');
  });
});

const main = { header: 'main', sidebar: 'main', footer: 'main' } as const;

describe('the frame of a page', () => {
  it('has neither header nor side menu nor footer where the route says none', () => {
    render(
      <PageFrame
        shell={{ header: 'none', sidebar: 'none', footer: 'none' }}
        entries={entries}
        help={{ name: 'A help line', url: 'https://help.example/', telephone: '0800 000 000' }}
      >
        <h1>Verify</h1>
      </PageFrame>,
    );
    expect(screen.queryByRole('banner')).not.toBeInTheDocument();
    expect(screen.queryByRole('navigation', { hidden: true })).not.toBeInTheDocument();
    expect(screen.queryByRole('contentinfo')).not.toBeInTheDocument();
    expect(screen.getByRole('main')).toHaveTextContent('Verify');
    const care = within(screen.getByRole('complementary', { name: 'Safer gambling' }));
    expect(care.getByText('18+')).toBeVisible();
    expect(care.getByRole('link', { name: 'A help line' })).toBeVisible();
  });

  it('begins with a link that skips to the content', () => {
    render(
      <PageFrame shell={main} entries={entries}>
        <h1>Football</h1>
      </PageFrame>,
    );
    const [first] = screen.getAllByRole('link');
    expect(first).toHaveTextContent('Skip to the content');
    expect(document.querySelector(first?.getAttribute('href') as string)).toBe(screen.getByRole('main'));
    expect(within(screen.getByRole('main')).getByRole('heading', { name: 'Football' })).toBeVisible();
  });

  it('has one of each landmark', () => {
    render(
      <PageFrame shell={main} entries={entries}>
        Text
      </PageFrame>,
    );
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
    expect(titles(screen.getByRole('navigation', { name: 'Where to go next' }))).toEqual(
      entries.map((entry) => entry.title),
    );
  });

  it('offer without script the address itself, to try it again', () => {
    render(<CrashedPage />);
    expect(screen.getByText('Try again')).toHaveAttribute('href', '');
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
