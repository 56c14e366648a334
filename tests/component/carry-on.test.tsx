import { act, render, screen } from '@testing-library/react';
import { CarryOn } from '@/components/account/carry-on';
import { LoginModal } from '@/components/account/login-modal';
import { dropIntent, intentMilliseconds, keepIntent, readIntent } from '@/components/state/after-login';
import { ApiError } from '@/components/state/api';
import { type Identity, showMember } from '@/components/state/viewer';
import { Role } from '@/lib/reference/schema';
import type * as FakeStorage from '../support/fake-storage';

jest.mock(
  '@/components/state/storage',
  () => jest.requireActual<typeof FakeStorage>('../support/fake-storage').fakeStorage,
);
const follow = jest.fn();
jest.mock('@/components/state/auth-user', () => ({ follow: (reference: string) => follow(reference) as unknown }));
const [openModal, showFeedback] = [jest.fn(), jest.fn()];
jest.mock('@/components/state/modals', () => ({
  openModal: (name: string) => void openModal(name),
  showFeedback: (feedback: unknown) => void showFeedback(feedback),
}));

const identity = (emailConfirmed: boolean) =>
  ({ user: { username: 'bob', emailConfirmed }, settings: {}, portfolios: [] }) as unknown as Identity;
const ann = { kind: 'follow', portfolioReference: 'ann', name: 'Ann' } as const;
const come = async (emailConfirmed = true) => {
  act(() => showMember(Role.user, identity(emailConfirmed)));
  await act(async () => void render(<CarryOn />));
};

beforeEach(async () => {
  jest.resetAllMocks();
  follow.mockResolvedValue('saved');
  await dropIntent();
});

describe('what somebody signed in for', () => {
  it('is done once they are back, and told', async () => {
    await keepIntent(ann);
    await come();
    expect(follow).toHaveBeenCalledWith('ann');
    expect(showFeedback).toHaveBeenCalledWith({ title: 'Following', text: 'You now follow Ann.', kind: 'success' });
    expect(await readIntent()).toBeNull();
  });

  it('waits for a confirmed address', async () => {
    await keepIntent(ann);
    await come(false);
    expect(follow).not.toHaveBeenCalled();
    expect(await readIntent()).toMatchObject(ann);
  });

  it('opens the slip', async () => {
    await keepIntent({ kind: 'slip' });
    await come();
    expect(openModal).toHaveBeenCalledWith('bet slip');
  });

  it('is not tried again when it is refused, and is when the connection failed', async () => {
    const failing = (status: number) =>
      follow.mockRejectedValueOnce(new ApiError({ status, text: '', url: '', message: 'This is your own portfolio.' }));
    await keepIntent(ann);
    failing(0);
    await come();
    expect(await readIntent()).toMatchObject(ann);
    expect(showFeedback).not.toHaveBeenCalled();
    failing(409);
    await come();
    expect(await readIntent()).toBeNull();
    expect(showFeedback).toHaveBeenCalledWith(expect.objectContaining({ text: 'This is your own portfolio.' }));
  });

  it('is forgotten after half an hour, and so is what is no intent', async () => {
    await keepIntent(ann);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + intentMilliseconds);
    expect(await readIntent()).toBeNull();
    jest.restoreAllMocks();
    await keepIntent({ kind: 'buy' } as never);
    expect(await readIntent()).toBeNull();
  });

  it('is kept by the login’s window until that is closed', async () => {
    let view: ReturnType<typeof render> | undefined;
    await act(async () => {
      view = render(<LoginModal redirectTo="/tipster/ann?period=1" intent={ann} />);
    });
    expect(screen.getByText('Log in to follow Ann.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Sign up' })).toHaveAttribute(
      'href',
      '/register?redirect_to=%2Ftipster%2Fann%3Fperiod%3D1',
    );
    expect(await readIntent()).toMatchObject(ann);
    await act(async () => view?.unmount());
    expect(await readIntent()).toBeNull();
  });
});
