import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { act, type ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { DeliveryActions } from '@/components/admin/delivery-actions';
import { EditFixture } from '@/components/admin/edit-fixture';
import { EditFixtureButton } from '@/components/admin/edit-fixture-button';
import { EventActions } from '@/components/admin/event-actions';
import { FactorForm } from '@/components/admin/factor-form';
import { FactorSetUp } from '@/components/admin/factor-set-up';
import { FigureChart } from '@/components/admin/figure-chart';
import { LiftBounce } from '@/components/admin/lift-bounce';
import { MailActions } from '@/components/admin/mail-actions';
import { NewsQueues } from '@/components/admin/news-queues';
import { PortfolioActions } from '@/components/admin/portfolio-actions';
import { RunJobForms } from '@/components/admin/run-job-forms';
import { StaffForm } from '@/components/admin/staff-form';
import { StaffListView } from '@/components/admin/staff-list-view';
import { UserActions } from '@/components/admin/user-actions';
import { UserExportForm } from '@/components/admin/user-export-form';
import { WaitingList } from '@/components/admin/waiting-list';
import { WebhookActions } from '@/components/admin/webhook-actions';
import { ModalHost } from '@/components/modals/modal-host';
import { type Identity, showMember } from '@/components/state/viewer';
import { Role } from '@/lib/reference/schema';
import { type StaffList, staffListQuery } from '@/lib/staff/schema';
import { teachDialogs } from '../support/dialogs';

teachDialogs();

const api = jest.fn();
jest.mock('@/components/state/api', () => ({
  ...jest.requireActual<object>('@/components/state/api'),
  api: (...given: unknown[]) => api(...given) as unknown,
}));

beforeEach(() => api.mockReset());

const shared = { call: 'POST /admin/users/{user}', params: { user: '7' } } as const;
const outcome = { entry: null, before: { suspended: false, logins: 2 }, after: { suspended: true, logins: 2 } };
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

describe('an action of staff', () => {
  it('shows what changes, and does it only when that is confirmed', async () => {
    const onDone = jest.fn();
    api.mockResolvedValueOnce(outcome).mockResolvedValueOnce({ ...outcome, entry: 12 });
    render(<StaffForm {...shared} action="user.suspend" onDone={onDone} />);
    type('Why', 'Spam.');
    press('Show what changes');
    const table = await screen.findByRole('table', { name: 'What changes' });
    expect(within(table).getAllByRole('row')).toHaveLength(2);
    expect(table).toHaveTextContent('suspendednoyes');
    expect(api).toHaveBeenLastCalledWith('POST /admin/users/{user}', {
      params: { user: '7' },
      body: { reason: 'Spam.', action: 'user.suspend', preview: true },
    });
    press('Confirm: Suspend a member');
    expect(await screen.findByText(/written down as entry 12/)).toBeVisible();
    expect(api).toHaveBeenLastCalledWith(
      'POST /admin/users/{user}',
      expect.objectContaining({ body: { reason: 'Spam.', action: 'user.suspend', preview: false } }),
    );
    expect(onDone).toHaveBeenCalledTimes(1);
  });

  it('is shown anew when what was typed changes, and asks for a reason before anything is sent', async () => {
    api.mockResolvedValue(outcome);
    render(<StaffForm {...shared} action="user.suspend" />);
    press('Show what changes');
    expect(await screen.findByText('Say why in a few words.')).toBeInTheDocument();
    expect(api).not.toHaveBeenCalled();
    type('Why', 'Spam.');
    press('Show what changes');
    await screen.findByRole('table');
    type('Why', 'Spam again.');
    expect(screen.queryByRole('table')).toBeNull();
    press('Show what changes');
    await screen.findByRole('table');
    expect(api.mock.calls.map(([, sent]) => (sent as { body: { preview: boolean } }).body.preview)).toEqual([
      true,
      true,
    ]);
    press('Leave it');
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('says why it was refused, beside the field where there is one', async () => {
    api.mockRejectedValueOnce(new Error('This member is suspended already.'));
    render(<StaffForm {...shared} action="user.suspend" />);
    type('Why', 'Spam.');
    press('Show what changes');
    expect(await screen.findByRole('alert')).toHaveTextContent('suspended already');
  });

  it('is confirmed with the mark of what was shown, and shown anew where that is refused', async () => {
    const mark = 'a'.repeat(64);
    api
      .mockResolvedValueOnce({ ...outcome, effects: null, mark })
      .mockRejectedValueOnce(new Error('Something changed since this was shown.'));
    render(<StaffForm {...shared} action="user.suspend" />);
    type('Why', 'Spam.');
    press('Show what changes');
    await screen.findByRole('table', { name: 'What changes' });
    press('Confirm: Suspend a member');
    expect(await screen.findByRole('alert')).toHaveTextContent('Something changed since this was shown.');
    expect(api).toHaveBeenLastCalledWith(
      'POST /admin/users/{user}',
      expect.objectContaining({ body: { reason: 'Spam.', action: 'user.suspend', preview: false, seen: mark } }),
    );
    expect(screen.queryByRole('table')).toBeNull();
    expect(screen.getByRole('button', { name: 'Show what changes' })).toBeEnabled();
  });
});

describe('what staff can do', () => {
  const member = { id: 7, role: Role.user, isSuspended: false, hasFactor: false };

  it('to a member goes by rank', () => {
    const { rerender } = render(<UserActions member={member} isSuperAdmin={false} />);
    expect(screen.getByText('Suspend a member')).toBeVisible();
    expect(screen.queryByText('Delete an account')).toBeNull();
    rerender(<UserActions member={{ ...member, isSuspended: true }} isSuperAdmin />);
    expect(screen.getByText('Reinstate a member')).toBeVisible();
    expect(screen.getByText('Delete an account')).toBeVisible();
    rerender(<UserActions member={{ ...member, role: Role.admin }} isSuperAdmin={false} />);
    expect(screen.getByText(/only super admins/)).toBeVisible();
  });

  it('to a portfolio goes by how it stands', () => {
    render(<PortfolioActions portfolio={{ reference: 'ann', isHeld: true, isFeatured: true, isPro: true }} />);
    for (const name of ['Show a portfolio again', 'Stop featuring a portfolio', 'Remove a portfolio from Pro'])
      expect(screen.getByText(name)).toBeVisible();
    expect(screen.getByText(/stands first where tipsters are recommended/)).toHaveTextContent(
      'as long as it has 45 settled tips in the past year',
    );
  });

  it('to a fixture goes by its kind: a match has a score, a race placings and withdrawals, what was played no start', () => {
    const match = {
      reference: 'a-v-b',
      startsAt: '2026-03-10T12:00:00.000Z',
      status: 'pending',
      isRace: false,
      ...{ isInSets: false, scorers: [] },
      runners: [],
    };
    const { rerender } = render(<EditFixture fixture={match} />);
    const titles = () => [...document.querySelectorAll('summary')].map(({ textContent }) => textContent);
    const asksForHalves = () =>
      screen.queryByText(/Bets on the first half are settled by the half-time score/) !== null;
    const fieldsNamed = (name: string) => document.querySelectorAll(`input[name="${name}"]`).length;
    expect([asksForHalves(), fieldsNamed('home')]).toEqual([true, 2]);
    expect(titles()).toEqual([
      'Move the start of a fixture',
      'Say that a fixture is postponed',
      'Change the status of a fixture',
      'Enter the result of a fixture',
      'Say that a fixture was abandoned',
    ]);
    rerender(
      <EditFixture fixture={{ ...match, isRace: true, runners: [{ name: 'Tin Whistle', withdrawnAt: null }] }} />,
    );
    expect([asksForHalves(), fieldsNamed('home')]).toEqual([false, 0]);
    expect(titles().slice(3)).toEqual([
      'Enter the placings of a race',
      'Say that a fixture was abandoned',
      'Withdraw a runner',
    ]);
    const runners = [{ name: 'Slow Air', withdrawnAt: '2026-03-10T09:00:00.000Z' }];
    rerender(<EditFixture fixture={{ ...match, isRace: true, status: 'complete', runners }} />);
    expect(titles().slice(2)).toEqual(['Withdraw a runner', 'Take back the withdrawal of a runner']);
    rerender(<EditFixture fixture={{ ...match, status: 'complete' }} />);
    expect(titles()).toEqual(['Enter the result of a fixture', 'Say that a fixture was abandoned']);
    expect(screen.queryByText('Sets')).toBeNull();
    rerender(<EditFixture fixture={{ ...match, status: 'complete', isInSets: true }} />);
    expect(titles().slice(2)).toEqual(['Enter a walkover or a retirement']);
    expect(asksForHalves()).toBe(false);
    expect(screen.getAllByText('Sets won at home')).toHaveLength(2);
    const needed = [...document.querySelectorAll('textarea[name="sets"]')].map((field) =>
      field.hasAttribute('required'),
    );
    expect(needed).toEqual([true, false, false]);
  });

  it('to a fixture is done in the modal, which opens for staff', async () => {
    const fixture = {
      reference: 'a-v-b',
      startsAt: '2026-03-10T12:00:00.000Z',
      status: 'pending',
      isRace: false,
      ...{ isInSets: false, scorers: [] },
      runners: [],
    };
    render(
      <>
        <EditFixtureButton fixture={fixture} />
        <ModalHost />
      </>,
    );
    expect(screen.getByRole('button', { name: 'Edit the fixture' })).toBeDisabled();
    act(() =>
      showMember(Role.admin, {
        user: { username: 'ada', emailConfirmed: true, hasProMembership: false },
        settings: { timezoneId: 33, oddsDisplayType: 'decimal' },
        portfolios: [],
      } as unknown as Identity),
    );
    await waitFor(() => expect(screen.getByRole('button', { name: 'Edit the fixture' })).toBeEnabled());
    press('Edit the fixture');
    const dialog = await screen.findByRole('dialog', { name: 'Edit the fixture' });
    expect(await within(dialog).findByText('Move the start of a fixture')).toBeInTheDocument();
  });

  it('with a job is asked of the one that is chosen', async () => {
    api.mockResolvedValue({ entry: null, before: {}, after: {} });
    render(<RunJobForms jobs={['send-mails', 'prune-mails']} />);
    type('Job', 'prune-mails');
    type('Why', 'A test.');
    press('Show what changes');
    await waitFor(() =>
      expect(api).toHaveBeenCalledWith(
        'POST /admin/jobs/{job}',
        expect.objectContaining({ params: { job: 'prune-mails' } }),
      ),
    );
    expect(await screen.findByText(/changes nothing that is kept/)).toBeInTheDocument();
  });
});

describe('what staff can do with news', () => {
  const offered = (element: ReactElement) => {
    const { unmount } = render(element);
    const titles = [...document.querySelectorAll('summary')].map(({ textContent }) => textContent);
    const said = document.querySelector('p')?.textContent ?? null;
    unmount();
    return { titles, said };
  };
  const [retry, giveUp] = ['Try a notification again now', 'Give up a notification'];

  it.each([
    ['due', [giveUp]],
    ['held', [retry, giveUp]],
    ['daily', [retry, giveUp]],
    ['tried', [retry, giveUp]],
    ['failed', [retry]],
    ['dropped', [retry]],
    ['given-up', [retry]],
    ['sending', []],
    ['sent', []],
  ] as const)('goes by how a notification stands: %s', (standing, titles) => {
    const found = offered(<DeliveryActions delivery="7" standing={standing} />);
    expect(found.titles).toEqual(titles);
    if (titles.length === 0) expect(found.said).toMatch(/sent/);
  });

  it('goes by how a mail, a webhook delivery and an event stand', () => {
    const mail = (standing: Parameters<typeof MailActions>[0]['standing']) =>
      offered(<MailActions mail="7" standing={standing} />).titles;
    expect([mail('due'), mail('tried'), mail('failed'), mail('sending')]).toEqual([
      ['Give up a mail'],
      ['Try a mail again now', 'Give up a mail'],
      ['Try a mail again now'],
      [],
    ]);
    const hook = (standing: Parameters<typeof WebhookActions>[0]['standing']) =>
      offered(<WebhookActions delivery="7" standing={standing} />).titles;
    expect([hook('due'), hook('paused'), hook('tried'), hook('failed'), hook('sent')]).toEqual([
      ['Give up a webhook delivery'],
      ['Give up a webhook delivery'],
      ['Try a webhook delivery again now', 'Give up a webhook delivery'],
      ['Try a webhook delivery again now'],
      [],
    ]);
    const event = (standing: Parameters<typeof EventActions>[0]['standing']) =>
      offered(<EventActions event="7" standing={standing} />).titles;
    expect([event('spread'), event('failing'), event('old')]).toEqual([
      ['Spread an event again'],
      ['Give up spreading an event'],
      [],
    ]);
  });

  it('says that an address is allowed again, and stays, as its page is gone', async () => {
    api.mockResolvedValueOnce(outcome).mockResolvedValueOnce({ ...outcome, entry: 9 });
    render(<LiftBounce bounce="7" />);
    type('Why', 'The mailbox is back.');
    press('Show what changes');
    await screen.findByRole('table', { name: 'What changes' });
    press('Confirm: Allow news by mail to an address again');
    expect(await screen.findByText(/written down as entry 9/)).toBeVisible();
    expect(api).toHaveBeenLastCalledWith('POST /admin/bounces/{bounce}', {
      params: { bounce: '7' },
      body: { reason: 'The mailbox is back.', action: 'bounce.lift', preview: false },
    });
  });
});

describe('the queues of news', () => {
  it('each say how many wait, since when, and what failed, and lead there', () => {
    const idle = { waiting: 0, oldestAt: null, failed: 0, countedUpTo: 10_000 };
    render(
      <NewsQueues
        timeZone="Europe/London"
        queues={[
          { name: 'push', waiting: 10_000, oldestAt: '2026-03-10T12:00:00.000Z', failed: 21, countedUpTo: 10_000 },
          { name: 'email', ...idle },
        ]}
      />,
    );
    const [, push, email] = screen.getAllByRole('row');
    expect(push).toHaveTextContent(/Push10,000 or more.*12:00.*21/);
    expect(
      within(push as HTMLElement)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href')),
    ).toEqual(['/admin/notifications?state=due&way=push', '/admin/notifications?state=failed&way=push']);
    expect(email).toHaveTextContent('E-mail0None waits–');
  });
});

describe('the second factor', () => {
  it('is set up by a key, a code, and codes to keep', async () => {
    api.mockResolvedValueOnce({
      key: 'ABCDEFGH',
      address: 'otpauth://totp/Tipledger:ada?secret=ABCDEFGH',
      picture: { size: 9, path: 'M4 4h1v1h-1z' },
    });
    render(<FactorSetUp target="/admin" />);
    press('Make a key');
    expect(await screen.findByText('ABCD EFGH')).toBeVisible();
    expect(screen.getByRole('link', { name: 'open it there' })).toHaveAttribute(
      'href',
      expect.stringContaining('otpauth:'),
    );
    const drawn = screen.getByRole('img', { name: /^QR code of the key/ });
    expect(drawn.querySelector('rect')).toHaveAttribute('fill', '#fff');
    expect(drawn.querySelector('path')).toHaveAttribute('d', 'M4 4h1v1h-1z');
    api.mockResolvedValueOnce({ recoveryCodes: ['aaaa-bbbb', 'cccc-dddd'] });
    type('The six digits that it shows now', '123 456');
    press('It works');
    expect(await screen.findByText('aaaa-bbbb')).toBeVisible();
    expect(screen.getByRole('link', { name: 'I have kept them' })).toHaveAttribute('href', '/admin');
  });

  it('says when a code is wrong', async () => {
    api.mockRejectedValueOnce(Object.assign(new Error('No.'), { fields: { code: 'This code is not right.' } }));
    render(<FactorForm target="/admin" />);
    type('Code', '123456');
    press('Go on');
    expect(await screen.findByText('This code is not right.')).toBeVisible();
    expect(screen.getByLabelText('Code')).toHaveAttribute('aria-invalid', 'true');
  });
});

describe('a staff list', () => {
  type Row = { id: number; at: string };
  const list: StaffList<Row> = {
    name: 'things',
    title: 'Things',
    lead: 'All things.',
    none: 'No thing fits.',
    searched: 'name',
    filters: [{ name: 'state', title: 'State', choices: [{ value: 'open', title: 'Open' }] }],
    columns: [
      { key: 'id', title: 'Number', cell: ({ id }) => id, href: ({ id }) => `/admin/things/${id}` },
      { key: 'at', title: 'When', cell: ({ at }) => ({ at }) },
      { key: 'state', title: 'State', cell: () => ({ state: 'Open', tone: 'profit' }) },
    ],
    read: async () => ({ rows: [], next: null }),
  };
  const rows = [{ id: 3, at: '2026-03-10T12:00:00.000Z' }];

  it('keeps search and filters in its form and in the way to further ones', () => {
    const query = staffListQuery(list, { q: ' tin ', state: 'open', after: '9', nonsense: 'x' });
    render(
      <StaffListView
        list={list}
        path="/admin/things"
        query={query}
        page={{ rows, next: '3' }}
        timeZone="Europe/London"
      />,
    );
    expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue('tin');
    expect(screen.getByLabelText('State')).toHaveValue('open');
    expect(screen.getByRole('link', { name: 'Further ones' })).toHaveAttribute(
      'href',
      '/admin/things?q=tin&state=open&after=3',
    );
    expect(screen.getByRole('link', { name: 'Back to the first' })).toHaveAttribute(
      'href',
      '/admin/things?q=tin&state=open',
    );
    expect(screen.getByRole('link', { name: '3' })).toHaveAttribute('href', '/admin/things/3');
    expect(screen.getByRole('button', { name: 'Download as CSV' })).toBeVisible();
  });

  it('says what to do when nothing fits, and leaves out what it cannot mean', () => {
    const query = staffListQuery(list, { state: 'other', after: '../x', q: ['a', 'b'] });
    expect(query).toEqual({ q: null, chosen: {}, after: null, limit: 50 });
    render(
      <StaffListView
        list={list}
        path="/admin/things"
        query={query}
        page={{ rows: [], next: null }}
        timeZone="Europe/London"
      />,
    );
    expect(screen.getByText('No thing fits.')).toBeVisible();
    expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull();
  });
});

describe('the front page', () => {
  it('lists what waits, or says that nothing does', () => {
    const items = [
      { count: 2, one: 'payout waits', many: 'payouts wait', href: '/admin/payouts' },
      { count: 0, one: 'tip', many: 'tips', href: '/admin/tips' },
    ];
    const { rerender } = render(<WaitingList items={items} />);
    expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['2 payouts wait']);
    const bets = { count: 1, one: 'bet', many: 'bets', href: '/admin/jobs', lines: ['Bet aaaaaaaaaa: No terms.'] };
    rerender(<WaitingList items={[bets]} />);
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      '1 betBet aaaaaaaaaa: No terms.',
      'Bet aaaaaaaaaa: No terms.',
    ]);
    rerender(<WaitingList items={[]} />);
    expect(screen.getByText('Nothing to do now')).toBeVisible();
  });

  it('has a table for each chart, with the newest day first', () => {
    render(
      <FigureChart
        title="Tips"
        days={[
          { day: '2026-03-09', value: 2 },
          { day: '2026-03-10', value: 3 },
        ]}
      />,
    );
    expect(screen.getByText('5')).toBeVisible();
    expect(screen.getAllByRole('rowheader', { hidden: true }).map((head) => head.textContent)).toEqual([
      '2026-03-10',
      '2026-03-09',
    ]);
  });
});

it('is made on the server as well', () => {
  for (const element of [
    <UserExportForm key="a" user={7} />,
    <FactorForm key="b" target="/admin" />,
    <FactorSetUp key="c" target="/admin" />,
    <RunJobForms key="d" jobs={['send-mails']} />,
    <LiftBounce key="e" bounce="7" />,
  ])
    expect(renderToString(element)).toContain('<form');
});
