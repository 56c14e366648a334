import { act, fireEvent, render, screen } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { FollowButton } from '@/components/portfolios/follow-button';
import { Islands } from '@/components/islands/islands';
import { follow, loadFollowing, watchUser } from '@/components/state/auth-user';
import { followingAtom, showGuest, showMember } from '@/components/state/viewer';
import { asEdit, asSent } from '../support/sent-calls';
import { managedPortfolio, settings, user } from '../support/member-answers';

const api = jest.fn();
const submitEdit = jest.fn();
const showFeedback = jest.fn();
const replay: ((edit: { path: string }) => void)[] = [];

jest.mock('@/components/state/api', () => ({
  ...jest.requireActual<object>('@/components/state/api'),
  api: (...given: Parameters<typeof asSent>) => api(...asSent(...given)) as unknown,
}));
jest.mock('@/components/state/edit-queue', () => ({
  submitEdit: (...given: Parameters<typeof asEdit>) => submitEdit(asEdit(...given)) as unknown,
  watchReplay: (told: (typeof replay)[number]) => void replay.push(told),
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

const own = managedPortfolio();
const saved = { kind: 'saved', answer: {} };

beforeEach(() => {
  jest.resetAllMocks();
  act(() => getDefaultStore().set(followingAtom, null));
  submitEdit.mockResolvedValue(saved);
  act(() => showMember(0, { user, settings, portfolios: [own] }));
});

const press = async (name: string | RegExp) =>
  act(async () => void fireEvent.click(screen.getByRole('button', { name })));

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 10)));

describe('following', () => {
  const show = (...references: string[]) =>
    render(
      <>
        {(references.length > 0 ? references : ['ann']).map((reference, place) => (
          <FollowButton key={place} portfolioReference={reference} name={reference === 'ann' ? 'Ann' : reference} />
        ))}
        <Islands />
      </>,
    );

  it('leads a guest to the login and back to the tipster', () => {
    act(() => showGuest());
    show();
    expect(screen.getByRole('link', { name: 'Follow Ann' })).toHaveAttribute(
      'href',
      '/login?redirect_to=%2Ftipster%2Fann&follow=ann',
    );
    expect(screen.queryByRole('button')).toBeNull();
    expect(api).not.toHaveBeenCalled();
  });

  it('is not offered for one’s own portfolio', async () => {
    api.mockResolvedValue([]);
    show('bobs-tips');
    expect(await screen.findByText('Yours')).toBeInTheDocument();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('stands beside every tipster, places that come later among them, and tells the same everywhere', async () => {
    act(() => getDefaultStore().set(followingAtom, null));
    api.mockResolvedValue([{ portfolioReference: 'ann', maxStake: 10 }]);
    const { rerender } = show('ann', 'cid', 'ann');
    expect(await screen.findAllByRole('button', { name: 'Unfollow Ann' })).toHaveLength(2);
    expect(screen.getByRole('button', { name: 'Follow cid' })).toBeEnabled();
    rerender(
      <>
        <FollowButton portfolioReference="ann" name="Ann" />
        <Islands />
      </>,
    );
    expect(await screen.findAllByRole('button')).toHaveLength(1);
    submitEdit.mockResolvedValueOnce(saved);
    await press('Unfollow Ann');
    expect(screen.getByRole('button', { name: 'Follow Ann' })).toBeInTheDocument();
    expect(api).toHaveBeenCalledTimes(1);
  });

  it('is sent once when it is pressed twice', async () => {
    act(() => getDefaultStore().set(followingAtom, []));
    api.mockResolvedValue([]);
    show();
    const button = await screen.findByRole('button', { name: 'Follow Ann' });
    let answer: (value: unknown) => void = () => undefined;
    submitEdit.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    fireEvent.click(button);
    fireEvent.click(button);
    expect(submitEdit).toHaveBeenCalledTimes(1);
    await act(async () => answer({ kind: 'saved', answer: { portfolioReference: 'ann', maxStake: 10 } }));
    expect(screen.getByRole('button', { name: 'Unfollow Ann' })).toBeEnabled();
  });

  it('is done once by a double click, whose second press comes after the answer', async () => {
    act(() => getDefaultStore().set(followingAtom, []));
    api.mockResolvedValue([]);
    submitEdit.mockResolvedValue({ kind: 'saved', answer: { portfolioReference: 'ann', maxStake: 10 } });
    show();
    const button = await screen.findByRole('button', { name: 'Follow Ann' });
    await act(async () => void fireEvent.click(button, { detail: 1 }));
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Unfollow Ann' }), { detail: 2 }));
    expect(submitEdit).toHaveBeenCalledTimes(1);
    expect(screen.getByRole('button', { name: 'Unfollow Ann' })).toBeEnabled();
  });

  describe('where it could not be found out whom the member follows', () => {
    beforeEach(() => api.mockRejectedValueOnce(new Error('The site cannot be reached.')));

    it.each(['online', 'focus'])('is asked again on %s', async (type) => {
      show();
      await screen.findByRole('button', { name: 'Follow Ann' });
      api.mockResolvedValue([{ portfolioReference: 'ann', maxStake: 10 }]);
      fireEvent(window, new Event(type));
      expect(await screen.findByRole('button', { name: 'Unfollow Ann' })).toBeEnabled();
      fireEvent(window, new Event(type));
      expect(api).toHaveBeenCalledTimes(2);
    });

    it('follows at a press all the same, and shows by then whom the member follows', async () => {
      submitEdit.mockResolvedValue({ kind: 'saved', answer: { portfolioReference: 'ann', maxStake: 7 } });
      show('ann', 'cid');
      await screen.findByRole('button', { name: 'Follow Ann' });
      api.mockResolvedValue(['ann', 'cid'].map((portfolioReference) => ({ portfolioReference, maxStake: 7 })));
      await press('Follow Ann');
      expect(submitEdit).toHaveBeenCalledTimes(1);
      expect(await screen.findByRole('button', { name: 'Unfollow Ann' })).toBeEnabled();
      expect(screen.getByRole('button', { name: 'Unfollow cid' })).toBeEnabled();
    });

    it('keeps a press on this device without a connection', async () => {
      submitEdit.mockResolvedValue({ kind: 'queued' });
      show();
      await screen.findByRole('button', { name: 'Follow Ann' });
      api.mockRejectedValue(new Error('The site cannot be reached.'));
      await press('Follow Ann');
      expect(submitEdit).toHaveBeenCalledTimes(1);
      expect(showFeedback.mock.calls).toEqual([[expect.objectContaining({ title: 'Saved on this device' })]]);
    });
  });

  describe('while it is asked whom the member follows', () => {
    const ann = { portfolioReference: 'ann', maxStake: 7 };
    let answer: (value: unknown) => void;
    beforeEach(() => {
      api.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
      submitEdit.mockResolvedValue({ kind: 'saved', answer: ann });
    });

    it('is in the list although the answer is older', async () => {
      const asked = loadFollowing();
      const followed = follow('ann');
      await settle();
      await act(async () => answer([{ portfolioReference: 'cid', maxStake: 7 }]));
      await Promise.all([asked, followed]);
      expect(getDefaultStore().get(followingAtom)).toEqual([ann, { portfolioReference: 'cid', maxStake: 7 }]);
      api.mockResolvedValueOnce([]);
      await act(() => loadFollowing());
      expect(getDefaultStore().get(followingAtom)).toEqual([]);
    });

    it('is in a list that is known, and stays in it', async () => {
      act(() => getDefaultStore().set(followingAtom, []));
      const asked = loadFollowing();
      await act(() => follow('ann'));
      expect(getDefaultStore().get(followingAtom)).toEqual([ann]);
      await act(async () => answer([]));
      await asked;
      expect(getDefaultStore().get(followingAtom)).toEqual([ann]);
    });

    it('is asked once more for what was kept on this device and is sent by then', async () => {
      watchUser();
      const asked = loadFollowing();
      await settle();
      api.mockResolvedValueOnce([ann]);
      for (const told of replay) told({ path: '/user/following/ann' });
      await act(async () => answer([]));
      await asked;
      await settle();
      expect(getDefaultStore().get(followingAtom)).toEqual([ann]);
      expect(api).toHaveBeenCalledTimes(2);
    });
  });

  it('is kept on this device without a connection, and says so', async () => {
    act(() => getDefaultStore().set(followingAtom, []));
    api.mockResolvedValue([]);
    submitEdit.mockResolvedValue({ kind: 'queued' });
    show();
    await screen.findByRole('button', { name: 'Follow Ann' });
    await press('Follow Ann');
    expect(screen.getByRole('button', { name: 'Unfollow Ann' })).toBeEnabled();
    expect(showFeedback).toHaveBeenCalledWith({
      title: 'Saved on this device',
      text: 'It is sent when you are online again.',
      kind: 'success',
    });
  });

  it('adds an entry to the list, and takes it away', async () => {
    api.mockResolvedValue([]);
    submitEdit.mockResolvedValueOnce({ kind: 'saved', answer: { portfolioReference: 'ann', maxStake: 7 } });
    show();
    await screen.findByRole('button', { name: 'Follow Ann' });
    await press('Follow Ann');
    expect(submitEdit).toHaveBeenLastCalledWith(
      expect.objectContaining({ path: '/user/following/ann', method: 'POST' }),
    );
    expect(getDefaultStore().get(followingAtom)).toEqual([{ portfolioReference: 'ann', maxStake: 7 }]);
    await press('Unfollow Ann');
    expect(submitEdit).toHaveBeenLastCalledWith(
      expect.objectContaining({ path: '/user/following/ann', method: 'DELETE' }),
    );
    expect(getDefaultStore().get(followingAtom)).toEqual([]);
  });

  it('asks whom the member follows when it is not known yet', async () => {
    act(() => getDefaultStore().set(followingAtom, null));
    api.mockResolvedValue([{ portfolioReference: 'ann', maxStake: 10 }]);
    show();
    expect(await screen.findByRole('button', { name: 'Unfollow Ann' })).toBeEnabled();
    expect(api).toHaveBeenCalledTimes(1);
  });

  it('says why it is refused', async () => {
    api.mockResolvedValue([]);
    submitEdit.mockRejectedValue(new Error('Confirm your e-mail address first.'));
    show();
    await screen.findByRole('button', { name: 'Follow Ann' });
    await press('Follow Ann');
    expect(showFeedback).toHaveBeenCalledWith({
      title: 'Error',
      text: 'Confirm your e-mail address first.',
      kind: 'error',
    });
    expect(screen.getByRole('button', { name: 'Follow Ann' })).toBeEnabled();
  });
});
