import { act, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { Island } from '@/components/islands/island';
import { Islands } from '@/components/islands/islands';
import { WelcomeNote } from '@/components/portfolios/welcome-note';
import { forgetTransfers } from '@/components/state/transfer';
import { showGuest, showMember, viewerNow } from '@/components/state/viewer';
import { showWelcome } from '@/components/state/welcome';
import type { SafeHtml } from '@/lib/content/schema';
import type { ManagedPortfolio } from '@/lib/portfolios/schema';
import { openTips } from '@/lib/posts/rules';
import type { PostSummary, PostView } from '@/lib/posts/schema';
import { defaultTimeZone } from '@/lib/reference/schema';
import type { TipView } from '@/lib/tips/schema';
import { asSent } from '../support/sent-calls';

jest.mock('@/components/state/api', () => ({
  api: (...given: Parameters<typeof asSent>) => asked(...asSent(...given)),
  ApiError: class extends Error {},
}));

const asked = jest.fn<Promise<unknown>, [path: string, options?: unknown]>();
const answers = new Map<string, unknown>();

const signIn = (...portfolios: string[]) =>
  act(async () =>
    showMember(0, {
      user: {
        username: 'mia',
        email: 'mia@example.com',
        countryId: 1,
        emailConfirmed: true,
        hasActivePremiumPortfolio: false,
        hasActiveSubscription: true,
        hasProMembership: false,
        affiliateReference: null,
      },
      settings: {
        maxStake: 10,
        betCurrencyId: 1,
        buyCurrencyId: 1,
        countryId: 1,
        timezoneId: defaultTimeZone.id,
        oddsDisplayType: 'decimal',
      },
      portfolios: portfolios.map((reference) => ({ reference }) as ManagedPortfolio),
    }),
  );

const settled = () => act(() => new Promise((later) => setTimeout(later, 30)));

beforeEach(() => {
  forgetTransfers();
  answers.clear();
  asked.mockReset();
  asked.mockImplementation(async (path) => {
    if (answers.has(path)) return answers.get(path);
    throw new Error('Missing.');
  });
  showGuest();
  showWelcome(null);
});

const summary: PostSummary = {
  reference: 'abcdefghjk',
  portfolioReference: 'ann',
  portfolioName: 'Ann',
  title: 'For members',
  publishedAt: '2026-11-21T10:00:00.000Z',
  editedAt: null,
  premiumOnly: true,
  lock: null,
  excerpt: 'The secret.',
  tips: [],
  demo: false,
};
const post = (more: object = {}) =>
  ({ ...summary, body: 'The secret.', html: '<p>The secret.</p>' as SafeHtml, tipItems: [], ...more }) as PostView;
const tip: TipView = {
  reference: 'tipabcdefg',
  portfolioReference: 'ann',
  portfolioName: 'Ann',
  publishedAt: '2026-11-21T10:00:00.000Z',
  firstStartsAt: '2026-11-22T10:00:00.000Z',
  started: false,
  stakeHundredths: 100,
  eachWay: false,
  free: false,
  hidden: true,
  legCount: 2,
  lock: null,
  legs: [],
  totalOddsThousandths: 6_000,
  minPrice: null,
  analysis: 'Why so.\n\nAnd why not.',
  settlements: [],
  followers: [],
  ledgerSequence: 1,
  demo: false,
};

const show = (page: ReactNode) =>
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      {page}
      <Islands />
      <WelcomeNote />
    </SWRConfig>,
  );

const postPage = (locked = true, guests: Pick<PostView, 'tipItems'> = { tipItems: [] }) =>
  show(
    <Island name="own post" props={{ portfolio: 'ann', post: 'abcdefghjk', tips: openTips(guests), locked }}>
      What guests see
    </Island>,
  );

test('a guest asks for nothing', async () => {
  postPage();
  await settled();
  expect(asked).not.toHaveBeenCalled();
});

test('a post that is open to the member stands beside what guests see, and goes when they sign out', async () => {
  answers.set('/portfolio/ann/posts/abcdefghjk', post());
  postPage();
  await signIn();
  expect(await screen.findByText('The secret.')).toBeVisible();
  expect(asked).toHaveBeenCalledTimes(1);
  await act(async () => showGuest());
  expect(screen.queryByText('The secret.')).toBeNull();
});

test.each([
  ['is locked for the member too', true, post({ lock: 'members', html: null, body: null })],
  ['says nothing more than guests are told', false, post({ premiumOnly: false })],
])('a post that %s is left as it is', async (_, locked, answer) => {
  answers.set('/portfolio/ann/posts/abcdefghjk', answer);
  const { container } = postPage(locked);
  await signIn();
  await settled();
  expect(asked).toHaveBeenCalledTimes(1);
  expect(container).toHaveTextContent(/^What guests see$/);
});

test('a post that cannot be asked for is left as it is', async () => {
  const { container } = postPage();
  await signIn();
  await settled();
  expect(container).toHaveTextContent(/^What guests see$/);
});

test('a post of everybody shows the tip that is hidden from guests', async () => {
  answers.set('/portfolio/ann/posts/abcdefghjk', post({ premiumOnly: false, tipItems: [tip] }));
  postPage(false);
  await signIn();
  expect(await screen.findByRole('heading', { name: 'Tips of this post' })).toBeVisible();
});

describe('a post of everybody with a tip that guests see locked', () => {
  const open = { ...tip, hidden: false };
  const forMembers = { ...open, reference: 'tipabcdefh', lock: 'members' } as TipView;
  const guests = { tipItems: [open, forMembers] };

  test('shows it to who may read it', async () => {
    answers.set(
      '/portfolio/ann/posts/abcdefghjk',
      post({ premiumOnly: false, tipItems: [open, { ...forMembers, lock: null }] }),
    );
    postPage(false, guests);
    await signIn();
    expect(await screen.findByRole('heading', { name: 'Tips of this post' })).toBeVisible();
    expect(screen.queryByText('For members until the start')).toBeNull();
  });

  test('is left as it is for who may not', async () => {
    answers.set('/portfolio/ann/posts/abcdefghjk', post({ premiumOnly: false, tipItems: guests.tipItems }));
    const { container } = postPage(false, guests);
    await signIn();
    await settled();
    expect(container).toHaveTextContent(/^What guests see$/);
  });
});

test('lists of posts and of tips, and a tip, open what they may', async () => {
  answers.set('/portfolio/ann/posts', { items: [summary], next: null });
  answers.set('/portfolio/ann/tips', {
    items: [tip, { ...tip, reference: 'tipabcdefh', lock: 'members' }],
    next: null,
  });
  answers.set('/portfolio/ann/tips/tipabcdefg', tip);
  show(
    <>
      <Island name="own posts" props={{ portfolio: 'ann', skip: 20 }}>
        Posts
      </Island>
      <Island name="own tips" props={{ portfolio: 'ann', skip: 0, most: 1 }}>
        Tips
      </Island>
      <Island name="own tip" props={{ portfolio: 'ann', tip: 'tipabcdefg' }}>
        Locked
      </Island>
    </>,
  );
  await signIn();
  expect(await screen.findByText('The secret.')).toBeVisible();
  expect(asked).toHaveBeenCalledWith('/portfolio/ann/posts', { query: { skip: 20 } });
  expect(screen.getByRole('link', { name: 'Double' })).toHaveAttribute('href', '/tipster/ann/tips/tipabcdefg');
  expect(screen.queryByText('For members until the start')).toBeNull();
  expect(screen.getByText('And why not.')).toBeVisible();
});

test('the owner alone gets a link to what they can do', async () => {
  show(
    <Island
      name="owner link"
      props={{ portfolio: 'ann', href: '/tipster/ann/posts/add-post', title: 'Write a post' }}
    />,
  );
  await signIn('other');
  await settled();
  expect(screen.queryByRole('link')).toBeNull();
  await signIn('ann');
  expect(await screen.findByRole('link', { name: 'Write a post' })).toHaveAttribute(
    'href',
    '/tipster/ann/posts/add-post',
  );
});

test('the link of an owner to adding tips makes the portfolio the current one', async () => {
  show(
    <Island
      name="owner link"
      props={{ portfolio: 'ben', href: '/add-tips', title: 'Add tip', look: 'primary', isChosen: true }}
    />,
  );
  await signIn('ann', 'ben');
  const current = () => {
    const viewer = viewerNow();
    return viewer.kind === 'member' ? viewer.currentPortfolio : null;
  };
  expect(current()).toBe('ann');
  const link = await screen.findByRole('link', { name: 'Add tip' });
  link.addEventListener('click', (event) => event.preventDefault());
  await act(async () => fireEvent.click(link));
  expect(current()).toBe('ben');
});

describe('the welcome of a tipster', () => {
  test('stays until it is closed', async () => {
    answers.set('/portfolio/ann/welcome', {
      portfolioReference: 'ann',
      followers: '<p>Hello, <em>follower</em>.</p>',
      members: null,
    });
    show(null);
    act(() => showWelcome({ portfolioReference: 'ann', name: 'Ann' }));
    expect(await screen.findByRole('complementary', { name: 'A welcome from Ann' })).toHaveTextContent(
      'Hello, follower.',
    );
    fireEvent.click(screen.getByRole('button', { name: 'Close the welcome' }));
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  test('is not shown where nothing was written', async () => {
    answers.set('/portfolio/ann/welcome', { portfolioReference: 'ann', followers: null, members: null });
    show(null);
    act(() => showWelcome({ portfolioReference: 'ann', name: 'Ann' }));
    await settled();
    expect(asked).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('complementary')).toBeNull();
  });
});
