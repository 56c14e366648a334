import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { ModalHost } from '@/components/modals/modal-host';
import { getDefaultStore } from 'jotai';
import { NotificationsRead } from '@/components/account/notifications-read';
import { freeTipsClosedAtom } from '@/components/state/preferences';
import { mayOfferFreeTips, offerFreeTips, popupDelayMilliseconds } from '@/components/modals/free-tips-rule';
import { openFromPage } from '@/components/modals/open-from-page';
import { closeModal, closeModals, openModal, showFeedback } from '@/components/state/modals';
import { setUnread } from '@/components/state/unread';
import { unreadAtom } from '@/components/state/unread-count';
import { type Identity, showGuest, showMember } from '@/components/state/viewer';
import type { NotificationList } from '@/lib/notifications/schema';
import { Role } from '@/lib/reference/schema';
import { escapeDialog, teachDialogs } from '../support/dialogs';

teachDialogs();

const identity = (portfolios: string[] = []) =>
  ({
    user: { username: 'bob', emailConfirmed: true, hasProMembership: false },
    settings: { timezoneId: 33, oddsDisplayType: 'fraction' },
    portfolios: portfolios.map((reference) => ({ reference })),
  }) as unknown as Identity;

const beGuest = () => act(() => showGuest());
const beMember = (...portfolios: string[]) => act(() => showMember(Role.user, identity(portfolios)));

const answers = new Map<string, unknown>();
const missing = { message: 'No bookmaker has a price.' };

beforeEach(() => {
  answers.clear();
  global.fetch = jest.fn(async (address: string | URL | Request) => {
    const answer = answers.get(String(address));
    const status = answer === undefined ? 503 : answer === missing ? 404 : 200;
    return {
      ok: status === 200,
      status,
      statusText: '',
      headers: new Headers(),
      text: async () => JSON.stringify(answer ?? { message: 'Come back later.' }),
    } as Response;
  });
});

afterEach(() => {
  act(() => {
    closeModals();
    closeModal('feedback');
  });
  jest.useRealTimers();
});

const isMarked = () => document.documentElement.hasAttribute('data-modal-open');
const dialog = (name: string) => screen.findByRole('dialog', { name });

function Page() {
  return (
    <>
      <button type="button">Opener</button>
      <ModalHost />
    </>
  );
}

const tip = { portfolioReference: 'ann-football', tipReference: 'abcdefghij', title: 'Rovers to beat Town' };

describe('a modal', () => {
  it('takes the focus, marks the page, and gives both back on Escape', async () => {
    render(<Page />);
    beMember('ann-football');
    const opener = screen.getByRole('button', { name: 'Opener' });
    opener.focus();
    act(() => void openModal('share tip', tip));
    const shown = await dialog('Share this tip');
    expect(within(shown).getByRole('heading', { name: 'Share this tip' })).toHaveFocus();
    expect(isMarked()).toBe(true);
    act(() => escapeDialog(shown));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(isMarked()).toBe(false);
    expect(opener).toHaveFocus();
  });

  it('closes by its button and by a press that begins and ends on the backdrop, not by one that began inside', async () => {
    render(<Page />);
    beMember('ann-football');
    act(() => void openModal('share tip', tip));
    const shown = await dialog('Share this tip');
    fireEvent.pointerDown(within(shown).getByRole('heading'));
    fireEvent.click(shown);
    expect(shown).toBeInTheDocument();
    fireEvent.pointerDown(shown);
    fireEvent.click(shown);
    expect(screen.queryByRole('dialog')).toBeNull();
    act(() => void openModal('share tip', tip));
    fireEvent.click(within(await dialog('Share this tip')).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('leaves the mark while another is open, and goes when the page changes', async () => {
    render(<Page />);
    beMember('ann-football');
    answers.set('/api/user/notifications', { items: [], unread: 0, unreadIds: [], next: null });
    act(() => {
      openModal('share tip', tip);
      openModal('notifications', {});
    });
    await dialog('Notifications');
    act(() => closeModal('notifications'));
    expect(isMarked()).toBe(true);
    act(() => closeModals());
    expect(isMarked()).toBe(false);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('does not open for whom it is not', () => {
    beGuest();
    expect([
      openModal('share tip', tip),
      openModal('notifications', {}),
      openModal('historical odds', { fixtureReference: 'a-v-b', selectionId: 1 }),
    ]).toEqual([false, false, false]);
    beMember();
    expect([openModal('share tip', tip), openModal('login', {})]).toEqual([false, false]);
    expect(isMarked()).toBe(false);
  });

  it('opens from what an element of the page says, and only when all is said', async () => {
    render(<Page />);
    const element = (data: Record<string, string>) => {
      const button = document.createElement('button');
      Object.assign(button.dataset, data);
      return button;
    };
    beMember('ann-football');
    expect(openFromPage(element({ modal: 'historical odds', fixture: 'a-v-b' }))).toBe(false);
    expect(openFromPage(element({ modal: 'share tip', portfolio: 'ann-football', tip: 'abcdefghij' }))).toBe(false);
    expect(openFromPage(element({ modal: 'edit fixture' }))).toBe(false);
    act(() =>
      expect(
        openFromPage(element({ modal: 'share tip', portfolio: 'ann-football', tip: 'abcdefghij', title: 'Rovers' })),
      ).toBe(true),
    );
    expect(await within(await dialog('Share this tip')).findByLabelText('Link to the tip')).toHaveValue(
      'http://localhost/tipster/ann-football/tips/abcdefghij',
    );
  });

  it('says what to do when what it shows cannot be had, and tries again', async () => {
    render(<Page />);
    beMember();
    act(() => void openModal('notifications', {}));
    const shown = await dialog('Notifications');
    expect(await within(shown).findByRole('alert')).toHaveTextContent('Come back later.');
    answers.set('/api/user/notifications', { items: [], unread: 0, unreadIds: [], next: null });
    fireEvent.click(within(shown).getByRole('button', { name: 'Try again' }));
    expect(await within(shown).findByText(/Nothing has happened/)).toBeInTheDocument();
  });
});

describe('a modal of what is missing', () => {
  it('says so, and does not offer to try again in vain', async () => {
    render(<Page />);
    beMember();
    answers.set('/api/odds-history/a-v-b/7', missing);
    act(() => void openModal('historical odds', { fixtureReference: 'a-v-b', selectionId: 7 }));
    const shown = await dialog('Price history');
    expect(await within(shown).findByRole('alert')).toHaveTextContent(missing.message);
    expect(within(shown).queryByRole('button', { name: 'Try again' })).toBeNull();
  });
});

describe('the feedback', () => {
  it('is announced politely, leaves the page unmarked and the focus alone, and goes after 2.5 seconds', () => {
    jest.useFakeTimers();
    render(<Page />);
    screen.getByRole('button', { name: 'Opener' }).focus();
    act(() =>
      showFeedback({ title: 'Max stake updated', text: 'Your default max stake has been set to £5', kind: 'success' }),
    );
    expect(screen.getByRole('status')).toHaveTextContent('Max stake updatedYour default max stake has been set to £5');
    expect(isMarked()).toBe(false);
    expect(screen.getByRole('button', { name: 'Opener' })).toHaveFocus();
    act(() => jest.advanceTimersByTime(2499));
    expect(screen.getByRole('dialog', { name: 'Max stake updated' })).toBeInTheDocument();
    act(() => jest.advanceTimersByTime(1));
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
  });

  it('stays while the pointer or the focus is on it, and begins anew with a newer message', () => {
    jest.useFakeTimers();
    render(<Page />);
    act(() => showFeedback({ title: 'Error', text: 'One.', kind: 'error' }));
    const shown = screen.getByRole('dialog', { name: 'Error' });
    fireEvent.pointerEnter(shown);
    fireEvent.focus(within(shown).getByRole('button'));
    fireEvent.pointerLeave(shown);
    act(() => jest.advanceTimersByTime(10_000));
    expect(shown).toBeInTheDocument();
    fireEvent.blur(within(shown).getByRole('button'));
    act(() => jest.advanceTimersByTime(2000));
    act(() => showFeedback({ title: 'Error', text: 'Two.', kind: 'error' }));
    act(() => jest.advanceTimersByTime(2400));
    expect(screen.getByRole('status')).toHaveTextContent('ErrorTwo.');
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
  });

  it('shows inside the modal on top, since all outside it is dead', async () => {
    render(<Page />);
    beMember('ann-football');
    act(() => void openModal('share tip', tip));
    const shown = await dialog('Share this tip');
    act(() => showFeedback({ title: 'Odds format updated', text: 'Set.', kind: 'success' }));
    expect(within(shown).getByText('Odds format updated')).toBeInTheDocument();
  });
});

describe('the modal bodies', () => {
  it('share a tip by link and by text with its proof', async () => {
    const written: string[] = [];
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void written.push(text) },
    });
    render(<Page />);
    beMember('ann-football');
    act(() => void openModal('share tip', tip));
    fireEvent.click(await screen.findByRole('button', { name: 'Copy the text' }));
    expect(await screen.findByText('Text copied.')).toBeInTheDocument();
    expect(written[0]).toContain('http://localhost/ledger?tip=abcdefghij');
    expect(screen.queryByRole('button', { name: 'Share…' })).toBeNull();
  });

  it('show every price of a selection by bookmaker, as the member reads times and odds', async () => {
    const changes = (odds: number[]) =>
      odds.map((oddsThousandths, index) => ({
        at: `2026-03-0${index + 1}T12:00:00.000Z`,
        timeKnown: true,
        price: { oddsThousandths, fraction: null },
        closing: index === odds.length - 1,
      }));
    answers.set('/api/odds-history/a-v-b/7', {
      marketName: 'Match result',
      selectionName: 'Rovers',
      history: {
        marketId: 1,
        series: [
          {
            selectionId: 7,
            selectionName: 'Rovers',
            bookmakerId: 1,
            bookmakerName: 'One',
            changes: changes([2500, 2000]),
          },
          { selectionId: 7, selectionName: 'Rovers', bookmakerId: 6, bookmakerName: 'Two', changes: changes([2250]) },
        ],
      },
    });
    render(<Page />);
    beMember();
    act(() => void openModal('historical odds', { fixtureReference: 'a-v-b', selectionId: 7 }));
    const table = await screen.findByRole('table', { name: 'Prices of Rovers by bookmaker, newest first' });
    expect(
      within(table)
        .getAllByRole('row')
        .map((row) => row.textContent),
    ).toEqual([
      'BookmakerWhenPrice',
      expect.stringMatching(/^OneMon 2 Mar 2026, .*1\/1 closing$|^OneMon 2 Mar 2026, .*[Ee]vens? closing$/),
      expect.stringMatching(/^Sun 1 Mar 2026, .*6\/4$/),
      expect.stringMatching(/^TwoSun 1 Mar 2026, .*5\/4 closing$/),
    ]);
    expect(screen.getByRole('img', { name: /^Rovers: best price/ })).toBeInTheDocument();
  });

  it('mark what is unread, and read it once it was shown', async () => {
    const item = {
      id: 7,
      kind: 'tip',
      at: '2026-03-10T12:00:00.000Z',
      read: false,
      title: 'Ann Football: A hidden tip',
      body: 'It is sealed in the record and will be shown at the start.',
      path: '/tipster/ann-football/tips/abcdefghij',
      portfolio: { reference: 'ann-football', name: 'Ann Football', demo: false },
      outcome: null,
      profitHundredths: null,
    } as const;
    answers.set('/api/user/notifications', {
      items: [item],
      unread: 40,
      unreadIds: [7],
      next: 7,
    } satisfies NotificationList);
    answers.set('/api/user/notifications/read', { unread: 39 });
    render(<Page />);
    beMember();
    act(() => void openModal('notifications', {}));
    expect(await screen.findByText('New')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Earlier notifications' })).toHaveAttribute(
      'href',
      '/dashboard/notifications?before=7',
    );
    expect(screen.getByRole('link', { name: 'Ann Football: A hidden tip' })).toHaveAttribute(
      'href',
      '/tipster/ann-football/tips/abcdefghij',
    );
    expect(screen.getByRole('link', { name: 'Choose what you are notified about, and how' })).toHaveAttribute(
      'href',
      '/dashboard/notifications',
    );
    act(() => closeModal('notifications'));
  });
});

describe('notifications', () => {
  const item = (id: number, read: boolean) => ({
    ...{ id, kind: 'post', at: '2026-03-10T12:00:00.000Z', read, title: `News ${id}`, body: 'Words.' },
    ...{ path: '/tipster/ann-football', portfolio: null, outcome: null, profitHundredths: null },
  });
  const listOf = (...items: ReturnType<typeof item>[]) => {
    const unreadIds = items.flatMap(({ id, read }) => (read ? [] : [id]));
    return { items, unread: unreadIds.length, unreadIds, next: null };
  };
  const sent = () => jest.mocked(global.fetch).mock.calls.filter(([address]) => String(address).endsWith('/read'));

  it('are read where one that was told late stands among those that were read before', async () => {
    answers.set('/api/user/notifications', listOf(item(9, true), item(7, false)));
    answers.set('/api/user/notifications/read', { unread: 0 });
    render(<Page />);
    beMember();
    act(() => void openModal('notifications', {}));
    expect(await screen.findByText('New')).toBeInTheDocument();
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(JSON.parse(String(sent()[0]?.[1]?.body))).toEqual({ ids: [7] });
    expect(screen.queryByRole('link', { name: 'Earlier notifications' })).toBeNull();
    act(() => closeModal('notifications'));
  });

  /** Whoever comes back is told of what may have changed meanwhile. */
  const comeBack = () => {
    for (const state of ['hidden', 'visible'] as const) {
      jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
      act(() => void document.dispatchEvent(new Event('visibilitychange')));
    }
  };

  it('are shown as an instance of the release before tells them, which names neither what is unread nor what is older', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    answers.set('/api/user/notifications', { items: [], unread: 0 });
    render(<Page />);
    beMember();
    act(() => void openModal('notifications', {}));
    expect(await screen.findByText(/^Nothing has happened in the past/)).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Earlier notifications' })).toBeNull();
    answers.set('/api/user/notifications', { items: [item(10, false)], unread: 1 });
    comeBack();
    expect(await screen.findByText('News 10')).toBeInTheDocument();
    act(() => closeModal('notifications'));
    jest.restoreAllMocks();
  });

  it.each([
    ['and leads to the earlier ones', { unreadIds: [], next: 7 }, ['Earlier notifications']],
    ['the last of them too', { unreadIds: [7], next: null }, []],
  ])('say that nothing of them is open any more, %s', async (_, more, links) => {
    answers.set('/api/user/notifications', { items: [], unread: more.unreadIds.length, ...more });
    render(<Page />);
    beMember();
    act(() => void openModal('notifications', {}));
    const shown = await dialog('Notifications');
    expect(await within(shown).findByText('Nothing that was here is open to you any more.')).toBeInTheDocument();
    expect(within(shown).queryByText(/^Nothing has happened/)).toBeNull();
    expect(within(shown).queryByRole('list')).toBeNull();
    expect(
      within(shown)
        .queryAllByText('Earlier notifications')
        .map((link) => link.textContent),
    ).toEqual(links);
    act(() => closeModal('notifications'));
  });

  it('stay marked while they are in sight, though they were read as they were shown', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const lists = () =>
      jest.mocked(global.fetch).mock.calls.filter(([address]) => String(address).endsWith('/user/notifications'));
    answers.set('/api/user/notifications', listOf(item(9, false), item(7, true)));
    answers.set('/api/user/notifications/read', { unread: 0 });
    render(<Page />);
    beMember();
    act(() => void openModal('notifications', {}));
    expect(await screen.findByText('New')).toBeInTheDocument();
    await waitFor(() => expect(sent()).toHaveLength(1));
    answers.set('/api/user/notifications', listOf(item(10, false), item(9, true), item(7, true)));
    comeBack();
    expect(await screen.findByText('News 10')).toBeInTheDocument();
    expect([screen.getAllByText('New').length, lists().length]).toEqual([2, 2]);
    act(() => closeModal('notifications'));
    jest.restoreAllMocks();
  });

  it('are read once their page shows them to a member, and the count goes down', async () => {
    answers.set('/api/user/notifications/read', { unread: 2 });
    beGuest();
    const { rerender } = render(<NotificationsRead unreadIds={[9, 5]} />);
    expect(sent()).toHaveLength(0);
    beMember();
    act(() => setUnread(3));
    await waitFor(() => expect(getDefaultStore().get(unreadAtom)).toBe(2));
    expect(sent().map(([, asked]) => JSON.parse(String(asked?.body)))).toEqual([{ ids: [9, 5] }]);
    rerender(<NotificationsRead unreadIds={[]} />);
    expect(sent()).toHaveLength(1);
  });
});

describe('the free tips popup', () => {
  it('comes once, a minute after the first interaction, to a guest, when there are tips', async () => {
    const free = {
      reference: 'abcdefghij',
      portfolioReference: 'ann-football',
      portfolioName: 'Ann Football',
      firstStartsAt: '2026-03-10T20:00:00.000Z',
      legCount: 1,
      lock: 'hidden',
      legs: [],
      stakeHundredths: 100,
      settlements: [],
      demo: true,
    };
    answers.set('/api/free-tips', { items: [free] });
    jest.useFakeTimers();
    render(<Page />);
    beGuest();
    offerFreeTips();
    await act(() => jest.advanceTimersByTimeAsync(10 * popupDelayMilliseconds));
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.pointerDown(document.body);
    await act(() => jest.advanceTimersByTimeAsync(popupDelayMilliseconds - 1));
    expect(screen.queryByRole('dialog')).toBeNull();
    await act(() => jest.advanceTimersByTimeAsync(1));
    const shown = await dialog('Today’s free tips');
    jest.useRealTimers();
    await waitFor(() =>
      expect(within(shown).getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', '/register'),
    );
    expect(getDefaultStore().get(freeTipsClosedAtom)).toBe(true);
    act(() => escapeDialog(shown));
    expect(mayOfferFreeTips()).toBe(false);
  });
});
