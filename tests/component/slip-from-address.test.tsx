import { act, render, screen, waitFor } from '@testing-library/react';
import { BetSlipSection } from '@/components/bet-slip/bet-slip-section';
import { ApiError } from '@/components/state/api';
import { editSlip, slipNow } from '@/components/state/bet-slip';
import { type Identity, showGuest, showMember } from '@/components/state/viewer';
import { emptySlip } from '@/lib/bets/rules';
import { CurrencyId, Role } from '@/lib/reference/schema';
import type * as FakeStorage from '../support/fake-storage';
import { slipLeg } from '../support/slip-leg';
import { asSent } from '../support/sent-calls';

const api = jest.fn();
const showFeedback = jest.fn();

jest.mock('@/components/state/api', () => ({
  ...jest.requireActual<object>('@/components/state/api'),
  api: (...given: Parameters<typeof asSent>) => api(...asSent(...given)) as unknown,
}));
jest.mock('@/components/state/modals', () => ({
  isModalOpen: () => false,
  showFeedback: (feedback: unknown) => void showFeedback(feedback),
  openModal: () => true,
}));
jest.mock(
  '@/components/state/storage',
  () => jest.requireActual<typeof FakeStorage>('../support/fake-storage').fakeStorage,
);

const tipPath = '/bet-slip/tip/ann/abcdefghij';
const asked = () => api.mock.calls.filter(([path]) => path === tipPath);
const signIn = () =>
  act(() =>
    showMember(Role.user, {
      user: { username: 'bob', emailConfirmed: true },
      settings: { timezoneId: 33, oddsDisplayType: 'decimal', betCurrencyId: CurrencyId.UNITS },
      portfolios: [],
    } as unknown as Identity),
  );

const legs = [slipLeg(1), slipLeg(2), slipLeg(3)];
const pricesNow = () => ({
  legs: slipNow().legs.map(({ selectionId, bookmakerId, oddsThousandths, startsAt, eachWay }) => ({
    ...{ selectionId, bookmakerId, startsAt, eachWay, state: selectionId === 3 ? 'started' : 'offered' },
    price: { oddsThousandths: selectionId === 2 ? 2300 : oddsThousandths, fraction: null },
  })),
});

beforeEach(async () => {
  jest.resetAllMocks();
  act(() => showGuest());
  await act(async () => void editSlip(() => emptySlip));
  window.history.replaceState(null, '', '/dashboard/bets?slip=ann%2Fabcdefghij');
});

test('a tip of the address is put into the slip once it is known who reads it, once, and says what has started or moved', async () => {
  api.mockImplementation(async (path: string) => (path === tipPath ? { legs } : pricesNow()));
  const { rerender } = render(<BetSlipSection tip="ann/abcdefghij" />);
  await act(async () => undefined);
  expect(asked()).toEqual([]);
  signIn();
  expect(await screen.findByText('Selection 3 was removed: Fixture 3 has started.')).toBeInTheDocument();
  expect(slipNow().legs.map(({ selectionId }) => selectionId)).toEqual([1, 2]);
  expect(screen.getByText(/The price is shorter now/)).toHaveTextContent('2.50 → 2.30');
  // The slip says it itself.
  expect(showFeedback).not.toHaveBeenCalled();
  await waitFor(() => expect(window.location.search).toBe(''));
  rerender(<BetSlipSection tip="ann/abcdefghij" />);
  await act(async () => undefined);
  expect(asked()).toHaveLength(1);
});

const terms = { places: 3, fraction: { numerator: 1, denominator: 5 }, basis: 'standard' } as const;

test.each([
  ['a multiple', [slipLeg(1), slipLeg(2)], { mode: 'accumulator', eachWay: [] }],
  ['an each-way single', [slipLeg(1, { eachWay: terms })], { mode: 'singles', eachWay: [1] }],
])('%s comes as its tipster took it', async (_, own, expected) => {
  api.mockImplementation(async (path: string) => (path === tipPath ? { legs: own } : pricesNow()));
  signIn();
  render(<BetSlipSection tip="ann/abcdefghij" />);
  await waitFor(() => expect(slipNow()).toMatchObject({ ...expected, legs: own }));
});

test('says why where the reader may not see the tip, and leaves the slip as it is', async () => {
  const because = 'The legs of this tip are for members of its portfolio.';
  api.mockImplementation(async (path: string) => {
    if (path === tipPath) throw new ApiError({ status: 403, text: '', url: path, message: because });
    return pricesNow();
  });
  signIn();
  render(<BetSlipSection tip="ann/abcdefghij" />);
  await waitFor(() => expect(showFeedback).toHaveBeenCalledWith({ title: 'Error', text: because, kind: 'error' }));
  expect(slipNow().legs).toEqual([]);
});

test('without a tip in the address nothing is asked for', async () => {
  api.mockImplementation(async () => pricesNow());
  signIn();
  render(<BetSlipSection />);
  expect(await screen.findByText(/Your slip is empty/)).toBeInTheDocument();
  expect(asked()).toEqual([]);
});
