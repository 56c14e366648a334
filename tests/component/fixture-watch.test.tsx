import { act, fireEvent, render, screen } from '@testing-library/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { WatchButton } from '@/components/fixtures/watch-button';
import { Islands } from '@/components/islands/islands';
import { ApiError } from '@/components/state/api';
import { type Identity, showGuest, showMember } from '@/components/state/viewer';
import { Role } from '@/lib/reference/schema';
import { asSent } from '../support/sent-calls';

const api = jest.fn();
const showFeedback = jest.fn();

jest.mock('@/components/state/api', () => ({
  ...jest.requireActual<object>('@/components/state/api'),
  api: (...given: Parameters<typeof asSent>) => api(...asSent(...given)) as unknown,
}));
jest.mock('@/components/state/modals', () => ({
  showFeedback: (feedback: unknown) => void showFeedback(feedback),
  openModal: () => true,
}));

const path = '/user/fixture/rovers-v-town/watch';
const signIn = (username = 'bob') =>
  act(() =>
    showMember(Role.user, {
      user: { username, emailConfirmed: true },
      settings: { timezoneId: 33, oddsDisplayType: 'decimal' },
      portfolios: [],
    } as unknown as Identity),
  );
const button = <WatchButton reference="rovers-v-town" name="Rovers v Town" />;
const show = () =>
  render(
    <>
      {button}
      <Islands />
    </>,
  );
const press = async (name: RegExp) => {
  const found = await screen.findByRole('button', { name });
  await act(async () => void fireEvent.click(found));
};

beforeEach(() => {
  jest.resetAllMocks();
  act(() => showGuest());
});

test('leads a guest to the login and back to the fixture, and asks for nothing', () => {
  show();
  const link = screen.getByRole('link', { name: 'Notify me of the start and result of Rovers v Town' });
  expect(link).toHaveAttribute('href', '/login?redirect_to=%2Ffixture%2Frovers-v-town');
  expect(link).toHaveAttribute('data-modal', 'login');
  expect(api).not.toHaveBeenCalled();
});

test('is the same for a member until it is known what they asked for', () => {
  const ofGuest = renderToStaticMarkup(button);
  signIn();
  expect(renderToStaticMarkup(button)).toBe(ofGuest);
});

test('tells a member from then on, and no more, as they press', async () => {
  api.mockImplementation(async (_: string, options?: { method: string }) => ({ watching: options?.method === 'PUT' }));
  signIn();
  show();
  await press(/^Notify me of the start/);
  expect(await screen.findByRole('button', { name: /^Watching Rovers v Town/ })).toHaveTextContent('Watching');
  expect(showFeedback).toHaveBeenCalledWith(
    expect.objectContaining({ kind: 'success', text: 'We will tell you when Rovers v Town starts and how it ends.' }),
  );
  await press(/^Watching/);
  expect(await screen.findByRole('button', { name: /^Notify me/ })).toBeEnabled();
  expect(api.mock.calls).toEqual([[path], [path, { method: 'PUT' }], [path, { method: 'DELETE' }]]);
});

test('stays as it was where it is refused, and says why', async () => {
  api.mockImplementation(async (_: string, options?: { method: string }) => {
    if (options)
      throw new ApiError({
        status: 409,
        text: '',
        url: path,
        message: 'This fixture is over: its result is on its page.',
      });
    return { watching: false };
  });
  signIn();
  show();
  await press(/^Notify me/);
  expect(showFeedback).toHaveBeenCalledWith(
    expect.objectContaining({ kind: 'error', text: 'This fixture is over: its result is on its page.' }),
  );
  expect(screen.getByRole('button', { name: /^Notify me/ })).toBeEnabled();
});

test('is nobody’s after signing out, and asks anew for whoever signs in next', async () => {
  api.mockResolvedValueOnce({ watching: true });
  signIn();
  show();
  await screen.findByRole('button', { name: /^Watching/ });
  api.mockReturnValue(new Promise(() => undefined));
  signIn('cid');
  expect(screen.queryByRole('button')).toBeNull();
  expect(api.mock.calls).toEqual([[path], [path]]);
});

test('is a button too where it could not be found out, which asks to be told, and asks again when the reader is back', async () => {
  api.mockRejectedValueOnce(new Error('The site cannot be reached.'));
  signIn();
  show();
  await screen.findByRole('button', { name: /^Notify me/ });
  api.mockResolvedValue({ watching: true });
  fireEvent(window, new Event('focus'));
  await screen.findByRole('button', { name: /^Watching/ });
  expect(api.mock.calls).toEqual([[path], [path]]);
});

test('is pressed where it could not be found out', async () => {
  api.mockRejectedValueOnce(new Error('The site cannot be reached.'));
  signIn();
  show();
  api.mockResolvedValue({ watching: true });
  await press(/^Notify me/);
  expect(await screen.findByRole('button', { name: /^Watching/ })).toBeEnabled();
  expect(api.mock.calls).toEqual([[path], [path, { method: 'PUT' }]]);
});

test('is not undone by the second press of a double click', async () => {
  api.mockResolvedValueOnce({ watching: false }).mockResolvedValueOnce({ watching: true });
  signIn();
  show();
  const button = await screen.findByRole('button', { name: /^Notify me/ });
  await act(async () => void fireEvent.click(button, { detail: 1 }));
  await act(async () => void fireEvent.click(button, { detail: 2 }));
  expect(api.mock.calls).toEqual([[path], [path, { method: 'PUT' }]]);
});
