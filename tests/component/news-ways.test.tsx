import { act, fireEvent, render, screen } from '@testing-library/react';
import { NewsWays } from '@/components/account/news-ways';
import { WebhookForm } from '@/components/portfolios/webhook-form';
import type { WebhookView } from '@/lib/webhooks/schema';
import { asSent } from '../support/sent-calls';

const api = jest.fn();

jest.mock('@/components/state/api', () => ({
  ...jest.requireActual<object>('@/components/state/api'),
  api: (...given: Parameters<typeof asSent>) => api(...asSent(...given)) as unknown,
}));

const zone = 'Europe/London';
const device = (id: number, endpoint: string) => ({
  ...{ id, endpoint, device: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  ...{ createdAt: '2026-03-10T12:00:00.000Z', usedAt: null },
});
const none = { publicKey: 'BAAA', devices: [] };
const noTelegram = { offered: false, linked: null };
const press = (name: string | RegExp) =>
  act(
    async () =>
      void fireEvent.click(screen.getByRole(String(name).includes('Notifications in') ? 'switch' : 'button', { name })),
  );

let subscription: { endpoint: string; toJSON: () => object; unsubscribe: () => Promise<boolean> } | null;
const subscribe = jest.fn();
const ask = jest.fn<Promise<NotificationPermission>, []>();

function haveBrowser(permission: NotificationPermission = 'default'): void {
  subscription = null;
  const registration = { pushManager: { subscribe, getSubscription: async () => subscription } };
  subscribe.mockImplementation(async () => {
    subscription = {
      endpoint: 'https://push.example.com/here',
      toJSON: () => ({ endpoint: 'https://push.example.com/here', keys: { p256dh: 'point', auth: 'word' } }),
      unsubscribe: async () => {
        subscription = null;
        return true;
      },
    };
    return subscription;
  });
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: {
      register: async () => registration,
      getRegistration: async () => registration,
      ready: Promise.resolve(registration),
    },
  });
  Object.assign(window, { PushManager: class {}, Notification: { permission, requestPermission: ask } });
}

beforeEach(() => {
  jest.resetAllMocks();
  haveBrowser();
});

const show = async (
  push = none as Parameters<typeof NewsWays>[0]['push'],
  telegram = noTelegram as Parameters<typeof NewsWays>[0]['telegram'],
) => act(async () => void render(<NewsWays push={push} telegram={telegram} timeZone={zone} />));

describe('notifications in this browser', () => {
  it('are asked for after a press alone, then told to the site, and switched off again', async () => {
    ask.mockResolvedValue('granted');
    await show();
    expect(ask).not.toHaveBeenCalled();
    api.mockResolvedValueOnce({ publicKey: 'BAAA', devices: [device(7, 'https://push.example.com/here')] });
    await press(/^Notifications in this browser/);
    expect(subscribe.mock.calls).toEqual([[{ userVisibleOnly: true, applicationServerKey: Uint8Array.of(4, 0, 0) }]]);
    expect(api.mock.calls[0]).toMatchObject([
      '/user/push',
      { body: { endpoint: 'https://push.example.com/here', keys: { p256dh: 'point', auth: 'word' } } },
    ]);
    expect(screen.getByRole('switch')).toBeChecked();
    api.mockResolvedValueOnce(none);
    await press(/^Notifications in this browser/);
    expect(api.mock.calls[1]?.[0]).toBe('/user/push/7');
    expect(screen.getByRole('switch')).not.toBeChecked();
    expect(subscription).toBeNull();
  });

  it('that are refused leave the switch off and say where to allow them', async () => {
    ask.mockResolvedValue('denied');
    await show();
    await press(/^Notifications in this browser/);
    expect(screen.getByText(/^Your browser blocks notifications/)).toBeInTheDocument();
    expect(api).not.toHaveBeenCalled();
  });

  it('have no switch where the browser forbids or lacks them', async () => {
    haveBrowser('denied');
    await show();
    expect(screen.queryByRole('switch')).toBeNull();
    expect(screen.getByText(/Allow them in its settings/)).toBeInTheDocument();
  });

  it('on other devices are listed, and can be ended from here', async () => {
    await show({ publicKey: 'BAAA', devices: [device(3, 'https://push.example.com/elsewhere')] });
    api.mockResolvedValueOnce(none);
    await press(/^Remove /);
    expect(api.mock.calls[0]?.[0]).toBe('/user/push/3');
    expect(screen.queryByRole('list', { name: 'Devices that get notifications' })).toBeNull();
  });
});

describe('Telegram', () => {
  it('is not spoken of where the site has no bot', async () => {
    await show();
    expect(screen.queryByText(/Telegram/)).toBeNull();
  });

  it('is linked by an address that is asked for, and unlinked', async () => {
    await show(none, { offered: true, linked: null });
    api.mockResolvedValueOnce({ url: 'https://t.me/bot?start=code', expiresAt: '2026-03-10T12:15:00.000Z' });
    await press('Link Telegram');
    expect(screen.getByRole('link', { name: 'Open Telegram' })).toHaveAttribute('href', 'https://t.me/bot?start=code');
    api.mockResolvedValueOnce({ offered: true, linked: null });
    await press('I have pressed Start');
    expect(screen.getByText(/not linked yet/)).toBeInTheDocument();
    api.mockResolvedValueOnce({ offered: true, linked: { name: '@bobby', since: '2026-03-10T12:01:00.000Z' } });
    await press('I have pressed Start');
    expect(screen.getByText(/^Linked to @bobby/)).toBeInTheDocument();
    api.mockResolvedValueOnce({ offered: true, linked: null });
    await press('Unlink Telegram');
    expect(screen.getByRole('button', { name: 'Link Telegram' })).toBeInTheDocument();
  });
});

describe('the webhook of a portfolio', () => {
  const webhook: WebhookView = { address: 'https://example.com/hook', pausedAt: null, failures: 0, deliveries: [] };
  const delivery = (more: object): WebhookView['deliveries'][number] => ({
    ...{ id: '1', kind: 'tip', state: 'sent', attempts: 1, createdAt: '2026-03-10T12:00:00.000Z' },
    ...{ answeredAt: null, nextAt: null, status: 200, problem: null },
    ...more,
  });

  it('is set up by its address, and tells its secret once', async () => {
    render(<WebhookForm portfolio="ann" webhook={null} timeZone={zone} />);
    expect(screen.queryByRole('button', { name: 'Send a test' })).toBeNull();
    fireEvent.change(screen.getByLabelText('Address'), { target: { value: 'https://example.com/hook' } });
    api.mockResolvedValueOnce({ webhook, secret: 'whsec_once' });
    await press('Set up the webhook');
    expect(screen.getByText('whsec_once')).toBeInTheDocument();
    api.mockResolvedValueOnce({
      webhook: { ...webhook, deliveries: [delivery({ kind: 'test', state: 'failed', status: 500 })] },
      secret: null,
    });
    await press('Send a test');
    expect(screen.getByRole('row', { name: /test Failed 500/ })).toBeInTheDocument();
    api.mockResolvedValueOnce({});
    await press('Remove the webhook');
    expect(screen.queryByText('whsec_once')).toBeNull();
    expect(screen.getByRole('button', { name: 'Set up the webhook' })).toBeInTheDocument();
  });

  it('that was paused says what to do, and its log why', () => {
    const deliveries = [
      delivery({
        state: 'waiting',
        attempts: 3,
        status: null,
        problem: 'There was no answer within 10 seconds.',
        nextAt: '2026-03-10T12:04:00.000Z',
      }),
    ];
    render(
      <WebhookForm
        portfolio="ann"
        webhook={{ ...webhook, pausedAt: '2026-03-10T12:00:00.000Z', failures: 20, deliveries }}
        timeZone={zone}
      />,
    );
    expect(screen.getByText(/^Paused after 20 failures in a row\. Save the address again/)).toBeInTheDocument();
    expect(screen.getByRole('row', { name: /tip Waiting Next try .* There was no answer/ })).toBeInTheDocument();
  });
});
