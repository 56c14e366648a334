import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { renderToString } from 'react-dom/server';
import { DashboardInStep } from '@/components/account/dashboard-in-step';
import { DeleteAccount } from '@/components/account/delete-account';
import { ExportButton } from '@/components/account/export-button';
import { SessionList } from '@/components/account/session-list';
import { SettingsForm } from '@/components/account/settings-form';
import { MemberOptions } from '@/components/account/member-options';
import { UserOptions } from '@/components/account/user-options';
import { Watchlist } from '@/components/account/watchlist';
import { Islands } from '@/components/islands/islands';
import { followingAtom, showGuest, showMember } from '@/components/state/viewer';
import { asEdit, asSent } from '../support/sent-calls';
import { managedPortfolio, settings, user } from '../support/member-answers';

const api = jest.fn();
const submitEdit = jest.fn();
const showFeedback = jest.fn();
const signOut = jest.fn();
const refresh = jest.fn();
const left: string[] = [];

jest.mock('@/components/state/api', () => ({
  ...jest.requireActual<object>('@/components/state/api'),
  api: (...given: Parameters<typeof asSent>) =>
    (api(...asSent(...given)) as unknown) ?? Promise.resolve({ items: [], unread: 0 }),
}));
jest.mock('@/components/state/edit-queue', () => ({
  submitEdit: (...given: Parameters<typeof asEdit>) => submitEdit(asEdit(...given)) as unknown,
  watchReplay: () => undefined,
}));
jest.mock('@/components/state/modals', () => ({
  showFeedback: (feedback: unknown) => void showFeedback(feedback),
  openModal: () => true,
}));
jest.mock('@/components/state/storage', () => ({
  readStored: async () => undefined,
  writeStored: async () => undefined,
  removeStored: async () => undefined,
  watchStored: () => () => undefined,
}));
jest.mock('@/components/state/session', () => ({ signOut: () => signOut() as unknown }));
jest.mock('@/components/state/auth-navigation', () => ({
  leaveFor: (address: string) => left.push(address),
  addressNow: () => '/dashboard/settings',
}));
jest.mock('next/navigation', () => ({
  usePathname: () => '/dashboard/watchlist',
  useRouter: () => ({ refresh: () => refresh() as unknown }),
}));

const own = managedPortfolio();
const pound = { id: 1, code: 'GBP', symbol: '£', name: 'Pound sterling', minorDigits: 2 } as const;
const saved = { kind: 'saved', answer: {} };

beforeEach(() => {
  jest.resetAllMocks();
  act(() => getDefaultStore().set(followingAtom, null));
  left.length = 0;
  submitEdit.mockResolvedValue(saved);
  act(() => showMember(0, { user, settings, portfolios: [own] }));
});

const press = async (name: string | RegExp) =>
  act(async () => void fireEvent.click(screen.getByRole('button', { name })));

describe('the settings', () => {
  const choices = {
    countries: [
      { value: 77, title: 'France' },
      { value: 5, title: 'Spain' },
    ],
    zones: [
      { value: 1, title: '(UTC−12:00) International Date Line West', name: 'International Date Line West' },
      { value: 40, title: '(UTC+00:00) London', name: 'London' },
    ],
  };
  const show = () => render(<SettingsForm settings={settings} {...choices} />);
  const choose = async (label: string, value: string) =>
    act(async () => void fireEvent.change(screen.getByLabelText(label), { target: { value } }));
  const setMaxStake = async (value: string) => {
    fireEvent.change(screen.getByLabelText(/^Default max stake/), { target: { value } });
    await press('Set');
  };

  it('can be chosen only once the browser knows who chooses, so that no choice is lost', () => {
    act(() => showGuest());
    show();
    const fields = [
      ...screen.getAllByRole('combobox'),
      screen.getByLabelText(/^Default max stake/),
      screen.getByRole('button', { name: 'Set' }),
    ];
    expect(fields).toHaveLength(7);
    for (const field of fields) expect(field).toBeDisabled();
    act(() => showMember(0, { user, settings, portfolios: [own] }));
    for (const field of fields) expect(field).toBeEnabled();
  });

  it('can be chosen where the page came alive after the browser knew who chooses', async () => {
    const container = document.body.appendChild(document.createElement('div'));
    const form = <SettingsForm settings={settings} {...choices} />;
    container.innerHTML = renderToString(form);
    expect(screen.getByLabelText('Odds format')).toBeDisabled();
    render(form, { container, hydrate: true });
    expect(screen.getByLabelText('Odds format')).toBeEnabled();
    await choose('Odds format', 'US');
    expect(submitEdit).toHaveBeenCalledWith(expect.objectContaining({ body: { oddsDisplayType: 'US' } }));
  });

  it.each([
    ['Bet currency', '3', { betCurrencyId: 3 }, 'Bet currency updated', 'Your bet currency has been set to Euro'],
    ['Currency', '4', { buyCurrencyId: 4 }, 'Currency updated', 'Your currency has been set to US dollar'],
    ['Country', '5', { countryId: 5 }, 'Country updated', 'Your country has been set to Spain'],
    ['Time zone', '40', { timezoneId: 40 }, 'Timezone updated', 'Your timezone has been set to London'],
    [
      'Odds format',
      'fraction',
      { oddsDisplayType: 'fraction' },
      'Odds format updated',
      'Your odds display format has been set to fractional',
    ],
    [
      'Odds format',
      'US',
      { oddsDisplayType: 'US' },
      'Odds format updated',
      'Your odds display format has been set to US',
    ],
  ])('keep %s %s and say so', async (label, value, body, title, text) => {
    show();
    await choose(label, value);
    expect(submitEdit).toHaveBeenCalledWith(expect.objectContaining({ path: '/user', method: 'PUT', body }));
    expect(showFeedback).toHaveBeenCalledWith({ title, text, kind: 'success' });
    expect(screen.getByLabelText(label)).toHaveValue(value);
  });

  it.each([
    ['Bet currency', '3', 'Your bet currency could not be changed. Please try again later.'],
    ['Currency', '4', 'Your currency could not be changed. Please try again later.'],
    ['Country', '5', 'Your country could not be changed. Please try again later.'],
    ['Time zone', '40', 'Your timezone could not be changed. Please try again later.'],
    ['Odds format', 'US', 'Your odds display format could not be changed. Please try again later.'],
  ])('put %s back when it is refused, and say so', async (label, value, text) => {
    submitEdit.mockRejectedValue(new Error('no'));
    show();
    const before = (screen.getByLabelText(label) as HTMLSelectElement).value;
    await choose(label, value);
    expect(showFeedback).toHaveBeenCalledWith({ title: 'Error', text, kind: 'error' });
    expect(screen.getByLabelText(label)).toHaveValue(before);
  });

  it('set the default max stake in the symbol of the bet currency', async () => {
    show();
    await setMaxStake('12.5');
    expect(submitEdit).toHaveBeenCalledWith(expect.objectContaining({ body: { maxStake: 12.5 } }));
    expect(showFeedback).toHaveBeenCalledWith({
      title: 'Max stake updated',
      text: 'Your default max stake has been set to £12.5',
      kind: 'success',
    });
  });

  it('say when the default max stake could not be changed', async () => {
    submitEdit.mockRejectedValue(new Error('no'));
    show();
    await setMaxStake('12.5');
    expect(showFeedback).toHaveBeenCalledWith({
      title: 'Error',
      text: 'Your default max stake could not be changed. Please try again later.',
      kind: 'error',
    });
    // What was typed is there to be sent again.
    expect(screen.getByLabelText(/^Default max stake/)).toHaveValue(12.5);
  });

  it.each(['0', '-3', '2000000'])('ask for no max stake of %s', async (value) => {
    show();
    await setMaxStake(value);
    expect(submitEdit).not.toHaveBeenCalled();
    expect(screen.getByLabelText(/^Default max stake/)).toHaveFocus();
  });

  it('say that a change waits while there is no connection', async () => {
    submitEdit.mockResolvedValue({ kind: 'queued' });
    show();
    await choose('Country', '5');
    expect(showFeedback).toHaveBeenCalledWith({
      title: 'Saved on this device',
      text: 'It is sent when you are online again.',
      kind: 'success',
    });
  });

  it('follow what another tab has changed', () => {
    show();
    act(() => showMember(0, { user, settings: { ...settings, oddsDisplayType: 'US' }, portfolios: [] }));
    expect(screen.getByLabelText('Odds format')).toHaveValue('US');
  });
});

describe('the watchlist', () => {
  const entries = [
    { portfolioReference: 'ann', maxStake: 10, name: 'Ann’s football', demo: false, abandoned: false },
    { portfolioReference: 'cid', maxStake: 4, name: 'Cid’s darts', demo: true, abandoned: true },
  ];
  const itemOf = (name: string) =>
    screen.getAllByRole('listitem').find((item) => within(item).queryByRole('link', { name })) as HTMLElement;

  it('sets the max stake of one tipster', async () => {
    render(<Watchlist entries={entries} currency={pound} nobody={null} />);
    const item = itemOf('Cid’s darts');
    fireEvent.change(within(item).getByLabelText(/^Max stake/), { target: { value: '6' } });
    await act(async () => void fireEvent.click(within(item).getByRole('button', { name: 'Set' })));
    expect(submitEdit).toHaveBeenCalledWith(
      expect.objectContaining({ path: '/user/following/cid', method: 'PUT', body: { maxStake: 6 } }),
    );
    expect(showFeedback).toHaveBeenCalledWith({
      title: 'Max stake updated',
      text: 'Your max stake for Cid’s darts has been set to £6',
      kind: 'success',
    });
  });

  it('loses an entry on unfollowing, and gets it back when that is refused', async () => {
    render(<Watchlist entries={entries} currency={pound} nobody={null} />);
    await press('Unfollow Ann’s football');
    expect(itemOf('Ann’s football')).toBeUndefined();
    submitEdit.mockRejectedValue(new Error('Try later.'));
    await press('Unfollow Cid’s darts');
    expect(itemOf('Cid’s darts')).toBeInTheDocument();
    expect(showFeedback).toHaveBeenLastCalledWith({ title: 'Error', text: 'Try later.', kind: 'error' });
  });

  it('shows whom one could follow when the last entry has gone, and keeps the focus on the list until then', async () => {
    render(<Watchlist entries={entries} currency={pound} nobody={<p>Popular tipsters</p>} />);
    await press('Unfollow Ann’s football');
    expect(screen.getByRole('list', { name: 'Tipsters you follow' })).toHaveFocus();
    expect(screen.queryByText('Popular tipsters')).toBeNull();
    await press('Unfollow Cid’s darts');
    expect(screen.getByText('Popular tipsters')).toBeInTheDocument();
  });

  it('asks for itself anew when somebody is followed or left elsewhere, and not for what it shows already', async () => {
    const follow = (...references: string[]) =>
      act(() =>
        getDefaultStore().set(
          followingAtom,
          references.map((portfolioReference) => ({ portfolioReference, maxStake: 10 })),
        ),
      );
    const { rerender } = render(<Watchlist entries={entries} currency={pound} nobody={null} />);
    follow('cid', 'ann');
    await press('Unfollow Ann’s football');
    expect(getDefaultStore().get(followingAtom)).toEqual([expect.objectContaining({ portfolioReference: 'cid' })]);
    expect(refresh).not.toHaveBeenCalled();
    follow('ann', 'cid');
    expect(refresh).toHaveBeenCalledTimes(1);
    rerender(<Watchlist entries={[...entries]} currency={pound} nobody={null} />);
    expect(itemOf('Ann’s football')).toBeInTheDocument();
    follow('ann');
    expect(refresh).toHaveBeenCalledTimes(2);
  });
});

describe('the account', () => {
  it('is deleted in two steps, the second of which wants a tick', async () => {
    api.mockResolvedValue({ done: true });
    render(<DeleteAccount unpaid={[]} />);
    await press('Delete my account');
    expect(screen.getByText(/^This cannot be undone/).closest('p')).toHaveFocus();
    await press('Delete for good');
    expect(api).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('checkbox'));
    await press('Delete for good');
    expect(api).toHaveBeenCalledWith('/account/delete', { method: 'DELETE' });
    expect(signOut).toHaveBeenCalled();
    expect(left).toEqual(['/']);
  });

  it('stays when one thinks better of it, and says why it cannot be deleted', async () => {
    render(<DeleteAccount unpaid={[]} />);
    await press('Delete my account');
    await press('Keep my account');
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.getByRole('button', { name: 'Delete my account' })).toHaveFocus();
    await press('Delete my account');
    api.mockRejectedValue(new Error('You are the last super admin.'));
    fireEvent.click(screen.getByRole('checkbox'));
    await press('Delete for good');
    expect(await screen.findByRole('alert')).toHaveTextContent('You are the last super admin.');
    expect(signOut).not.toHaveBeenCalled();
  });

  it('says before it is deleted what was earned and not paid out, and where to request it', () => {
    render(
      <DeleteAccount
        unpaid={[
          { currencyId: 1, amountMinor: 1400 },
          { currencyId: 3, amountMinor: 900 },
        ]}
      />,
    );
    expect(screen.getByText(/that you earned is not paid out yet/)).toHaveTextContent('£14.00 and €9.00');
    expect(screen.getByRole('link', { name: 'My portfolios' })).toHaveAttribute('href', '/dashboard/services');
    expect(screen.getByRole('link', { name: 'Your affiliate link' })).toHaveAttribute('href', '/affiliates/dashboard');
  });

  it('gives its data as a file', async () => {
    const urls: Blob[] = [];
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => `blob:${urls.push(blob)}`,
      revokeObjectURL: () => undefined,
    });
    const clicked = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    api.mockResolvedValue({ exportedAt: '2026-11-21T00:00:00.000Z' });
    render(<ExportButton />);
    await press('Download your data');
    expect(await screen.findByRole('status')).toHaveTextContent('tipledger-export.json');
    expect(api).toHaveBeenCalledWith('/user/export');
    expect(clicked).toHaveBeenCalledTimes(1);
    expect(urls[0]?.size).toBeGreaterThan(20);
  });

  it('is signed out everywhere with one press', async () => {
    render(
      <SessionList
        timeZone="Europe/London"
        sessions={[
          {
            id: 'a',
            device: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
            address: '192.0.2.7',
            createdAt: '2026-11-01T10:00:00.000Z',
            usedAt: '2026-11-21T10:00:00.000Z',
            current: true,
          },
        ]}
      />,
    );
    expect(screen.getByRole('listitem')).toHaveTextContent('Firefox on Windows Here');
    await press('Log out everywhere');
    expect(api).toHaveBeenCalledWith('/user/sessions', { method: 'DELETE' });
    await waitFor(() => expect(left).toEqual(['/login']));
    expect(signOut).toHaveBeenCalled();
  });
});

describe('the options in the header', () => {
  it('are the entrances for a guest and a menu for a member, with the admin area for staff', async () => {
    act(() => showGuest());
    render(
      <>
        <UserOptions />
        <Islands />
      </>,
    );
    const place = screen.getByRole('link', { name: 'Log in' }).closest('[data-island]');
    expect(place?.children).toHaveLength(1);
    act(() => showMember(2, { user, settings, portfolios: [] }));
    await screen.findByRole('button', { name: 'Your account, bob' });
    // By its style what stands beside the entrances hides them.
    expect(place?.children.length).toBeGreaterThan(1);
    expect(screen.getByRole('button', { name: 'Your account, bob' })).toBeInTheDocument();
    const menu = screen.getByRole('navigation', { name: 'Account', hidden: true });
    const links = within(menu)
      .getAllByRole('link', { hidden: true })
      .map((link) => link.getAttribute('href'));
    expect(links).toEqual([
      '/dashboard',
      '/dashboard/watchlist',
      '/dashboard/services',
      '/dashboard/memberships',
      '/dashboard/bets',
      '/dashboard/notifications',
      '/dashboard/settings',
      '/admin',
    ]);
  });

  it('lead a tipster to a new tip from every page, and nobody else', () => {
    act(() => showMember(0, { user, settings, portfolios: [] }));
    const { unmount } = render(<MemberOptions />);
    expect(screen.queryByRole('link', { name: 'Add tip' })).toBeNull();
    unmount();
    act(() => showMember(0, { user, settings, portfolios: [own] }));
    render(<MemberOptions />);
    expect(screen.getByRole('link', { name: 'Add tip' })).toHaveAttribute('href', '/add-tips');
  });
});

describe('a page of the dashboard', () => {
  it('is asked for anew when settings change, and only then', () => {
    render(<DashboardInStep />);
    act(() => showMember(0, { user, settings: { ...settings }, portfolios: [own] }));
    expect(refresh).not.toHaveBeenCalled();
    act(() => showMember(0, { user, settings: { ...settings, timezoneId: 9 }, portfolios: [own] }));
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it('says how to go on where the browser has no tokens', () => {
    act(() => showGuest());
    render(<DashboardInStep />);
    expect(screen.getByRole('link', { name: 'Log in again' })).toHaveAttribute(
      'href',
      '/login?redirect_to=%2Fdashboard%2Fsettings',
    );
  });
});
