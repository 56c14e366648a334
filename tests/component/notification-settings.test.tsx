import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { NotificationSettings } from '@/components/account/notification-settings';
import type { NewsSettings } from '@/lib/notifications/schema';

const asked: { name: string; given: unknown }[] = [];
let answer: () => Promise<unknown> = async () => ({});

jest.mock('@/components/state/api', () => ({
  api: (name: string, given: unknown) => {
    asked.push({ name, given });
    return answer();
  },
}));

const choice = (topic: 'tip' | 'payout', channel: 'app' | 'email', wanted: boolean, locked = false) => ({
  topic,
  channel,
  wanted,
  locked,
  own: false,
});
const settings: NewsSettings = {
  silenced: false,
  siteNews: true,
  choices: [
    choice('tip', 'app', true),
    choice('tip', 'email', true),
    choice('payout', 'app', true, true),
    choice('payout', 'email', true, true),
  ],
  hours: { quietFrom: null, quietUntil: null, digestHour: null },
  timeZone: 'Europe/London',
  mail: { address: 'bob@example.com', stopped: false, stoppedByStaff: false },
  ways: ['app', 'email'],
  portfolios: [{ reference: 'ann', name: 'Ann', silenced: false, choices: [choice('tip', 'email', true)] }],
};

beforeEach(() => {
  asked.length = 0;
  answer = async () => settings;
});

const press = (element: HTMLElement) => act(async () => void fireEvent.click(element));

test('whoever gets no mail is told whether it came back or staff stopped it', () => {
  const stopped = { address: 'bob@example.com', stopped: true, stoppedByStaff: false };
  const { rerender } = render(<NotificationSettings settings={{ ...settings, mail: stopped }} />);
  expect(screen.getByRole('alert')).toHaveTextContent('E-mails to bob@example.com bounced');
  rerender(<NotificationSettings key="again" settings={{ ...settings, mail: { ...stopped, stoppedByStaff: true } }} />);
  expect(screen.getByRole('alert')).toHaveTextContent('Our staff stopped notifications by e-mail to bob@example.com.');
});

test('a choice is kept as it is made, for all and for one portfolio, and says so', async () => {
  render(<NotificationSettings settings={settings} />);
  const general = screen.getByRole('table', { name: 'For every tipster' });
  await press(within(general).getByRole('checkbox', { name: 'A new tip, E-mail' }));
  expect(await screen.findByRole('status')).toHaveTextContent('Saved.');
  await press(
    within(screen.getByRole('table', { name: 'From Ann', hidden: true })).getByRole('checkbox', {
      name: 'A new tip, E-mail',
      hidden: true,
    }),
  );
  expect(asked).toEqual([
    {
      name: 'PUT /user/notifications/settings',
      given: { body: { choices: [{ topic: 'tip', channel: 'email', wanted: false }] } },
    },
    {
      name: 'PUT /user/notifications/settings/{reference}',
      given: { params: { reference: 'ann' }, body: { choices: [{ topic: 'tip', channel: 'email', wanted: false }] } },
    },
  ]);
});

test('the consent to news of the site itself, given at sign-up, is shown and can be taken back', async () => {
  answer = async () => ({ ...settings, siteNews: false });
  render(<NotificationSettings settings={settings} />);
  const box = screen.getByRole('checkbox', { name: 'Tipledger may e-mail me its own news' });
  expect(box).toBeChecked();
  await press(box);
  expect(asked).toEqual([{ name: 'PUT /user/notifications/settings', given: { body: { siteNews: false } } }]);
  expect(await screen.findByRole('status')).toHaveTextContent('Saved.');
  expect(box).not.toBeChecked();
});

test('what always comes cannot be turned off', () => {
  render(<NotificationSettings settings={settings} />);
  expect(screen.getByRole('checkbox', { name: 'Payouts to you, E-mail' })).toBeDisabled();
  const general = screen.getByRole('table', { name: 'For every tipster' });
  expect(within(general).getByRole('checkbox', { name: 'A new tip, E-mail' })).toBeEnabled();
});

test('quiet hours and the hour of the daily mail go together', async () => {
  answer = async () => ({ ...settings, hours: { quietFrom: 1380, quietUntil: 420, digestHour: null } });
  render(<NotificationSettings settings={settings} />);
  await press(screen.getByRole('checkbox', { name: /^Quiet hours/ }));
  expect(asked[0]?.given).toEqual({ body: { hours: { quietFrom: 1380, quietUntil: 420, digestHour: null } } });
  await act(async () => void fireEvent.change(screen.getByLabelText('Send e-mails'), { target: { value: '18' } }));
  expect(asked[1]?.given).toEqual({ body: { hours: { quietFrom: 1380, quietUntil: 420, digestHour: 18 } } });
});

test('one is sent to try a channel, and a refusal is said', async () => {
  render(<NotificationSettings settings={settings} />);
  await press(screen.getByRole('button', { name: 'Send a test: E-mail' }));
  expect(asked).toEqual([{ name: 'POST /user/notifications/sample', given: { body: { channel: 'email' } } }]);
  answer = () => Promise.reject(new Error('This channel is not set up yet.'));
  await press(screen.getByRole('button', { name: 'Send a test: In the list' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This channel is not set up yet.');
});
