import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { BetSlip } from '@/components/bet-slip/bet-slip';
import { ApiError } from '@/components/state/api';
import { addToSlip, betSlipAtom, editSlip, recordedAtom, slipNow } from '@/components/state/bet-slip';
import { isOnlineAtom } from '@/components/state/connection';
import type { ModalProps } from '@/components/state/modals';
import { levelStakesAtom } from '@/components/state/preferences';
import { showGuest, showMember } from '@/components/state/viewer';
import type { Settings } from '@/lib/accounts/schema';
import { emptySlip, type SlipLeg } from '@/lib/bets/rules';
import type { LegNow } from '@/lib/bets/schema';
import { stored } from '../support/fake-storage';
import type * as FakeStorage from '../support/fake-storage';
import { slipLeg } from '../support/slip-leg';
import { asSent } from '../support/sent-calls';
import { managedPortfolio, settings as usual, user } from '../support/member-answers';

const api = jest.fn();

jest.mock('@/components/state/api', () => ({
  ...jest.requireActual<object>('@/components/state/api'),
  api: (...given: Parameters<typeof asSent>) => api(...asSent(...given)) as unknown,
}));
const openModal = jest.fn<boolean, [string, ModalProps['change bookmaker']]>();
jest.mock('@/components/state/modals', () => ({
  showFeedback: () => undefined,
  openModal: (name: string, props: ModalProps['change bookmaker']) => openModal(name, props),
}));
jest.mock(
  '@/components/state/storage',
  () => jest.requireActual<typeof FakeStorage>('../support/fake-storage').fakeStorage,
);

const settings: Settings = { ...usual, betCurrencyId: 2, timezoneId: 40 };
const portfolio = (reference: string, id: number) =>
  managedPortfolio({ reference, id, name: `Portfolio ${reference}` });

const nowOf = (own: SlipLeg, more: Partial<LegNow> = {}): LegNow => ({
  selectionId: own.selectionId,
  bookmakerId: own.bookmakerId,
  state: 'offered',
  price: { oddsThousandths: own.oddsThousandths, fraction: null },
  startsAt: own.startsAt,
  eachWay: own.eachWay,
  ...more,
});

let now: Map<number, Partial<LegNow>>;
let answers: Record<string, () => unknown>;

const calls = (path: RegExp) =>
  api.mock.calls.filter(([called]) => path.test(String(called))) as [
    string,
    { body: Record<string, unknown>; idempotencyKey: string },
  ][];

beforeEach(async () => {
  jest.resetAllMocks();
  now = new Map();
  let placed = 0;
  answers = {
    '/user/bets': () => ({ reference: `abcdefgh${10 + (placed += 1)}` }),
    '/tips/add-tip': () => ({ reference: `tipref${1000 + (placed += 1)}` }),
  };
  api.mockImplementation(async (path: string) => {
    if (path === '/bet-slip/prices') return { legs: slipNow().legs.map((own) => nowOf(own, now.get(own.selectionId))) };
    const answer = Object.entries(answers).find(([end]) => path.endsWith(end))?.[1];
    if (!answer) throw new Error(`Nobody answers ${path}.`);
    return answer();
  });
  await act(async () => {
    void editSlip(() => emptySlip);
    getDefaultStore().set(isOnlineAtom, true);
    await getDefaultStore().set(levelStakesAtom, true);
    showMember(0, { user, settings, portfolios: [] });
  });
});

async function open(...legs: SlipLeg[]): Promise<void> {
  await act(async () => legs.forEach((each) => addToSlip(each)));
  await act(async () => void render(<BetSlip />));
}

const press = async (name: string | RegExp) =>
  act(async () => void fireEvent.click(screen.getByRole('button', { name })));
const type = async (label: string | RegExp, value: string) =>
  act(async () => void fireEvent.change(screen.getByLabelText(label), { target: { value } }));
const totals = () => screen.getAllByRole('definition').map(({ textContent }) => textContent);

describe('the bet slip', () => {
  it('says how to fill it while it is empty', async () => {
    await open();
    expect(screen.getByText(/Your slip is empty/)).toBeInTheDocument();
  });

  it('shows what singles and the accumulator cost and return, exactly', async () => {
    await open(slipLeg(1), slipLeg(2, { oddsThousandths: 1333, fraction: '1/3' }));
    expect(totals()).toEqual(['2.00 units', '3.83 units']);
    await act(async () => void fireEvent.click(screen.getByRole('radio', { name: 'Double' })));
    expect(totals()).toEqual(['3.33', '1.00 units', '3.33 units']);
  });

  it('warns where the price of a tip has gone below what its tipster would take', async () => {
    const ofTip = { reference: 'abcdefghij', legs: 2, minPrice: { oddsThousandths: 5000, fraction: null } };
    now.set(1, { price: { oddsThousandths: 1950, fraction: null } });
    await open(slipLeg(1, { ofTip }), slipLeg(2, { ofTip }));
    expect(screen.getByText(/^Price gone/)).toHaveTextContent(
      'Price gone: Selection 1, Selection 2 is 4.88 in your slip; the tipster’s minimum is 5.00.',
    );
    await press('Remove Selection 2');
    expect(screen.getByRole('list', { name: 'Selections' })).toHaveFocus();
    expect(screen.queryByText(/^Price gone/)).toBeNull();
  });

  it('sends the least price of a tip, and refuses one above its price', async () => {
    await act(async () => showMember(0, { user, settings, portfolios: [portfolio('ann', 1)] }));
    await open(slipLeg(1));
    await type('Lowest price worth taking', '2.60');
    await press('Publish 1 tip');
    expect(screen.getByText(/Enter 2.50 or less/)).toBeInTheDocument();
    expect(calls(/add-tip/)).toEqual([]);
    await type('Lowest price worth taking', '2.40');
    await press('Publish 1 tip');
    expect(calls(/add-tip/)[0]?.[1].body.minPrice).toEqual({ oddsThousandths: 2400, fraction: null });
  });

  it('refuses two legs of one fixture in an accumulator, and says which', async () => {
    await open(slipLeg(1), slipLeg(2, { fixtureReference: 'fixture-1', fixtureName: 'Fixture 1' }));
    await act(async () => void fireEvent.click(screen.getByRole('radio', { name: 'Double' })));
    await press(/^Record/);
    expect(
      screen.getByText(/Two selections of one fixture cannot be in one accumulator: Fixture 1/),
    ).toBeInTheDocument();
    expect(calls(/user\/bets/)).toEqual([]);
  });

  it('keeps what was typed and names the stake that is none', async () => {
    await open(slipLeg(1));
    await type(/^Stake/, 'ten');
    await press(/^Record/);
    expect(screen.getByText(/Enter a stake from/)).toBeInTheDocument();
    expect(screen.getByLabelText(/^Stake/)).toHaveValue('ten');
    await waitFor(() => expect(stored.get('bet-slip')).toMatchObject({ stake: 'ten' }));
  });

  it('is left behind as it is by a page that closes before it was kept, and only by such a page', async () => {
    dispatchEvent(new Event('pagehide'));
    expect(stored.get('bet-slip')).toMatchObject({ legs: [] });
    addToSlip(slipLeg(1));
    addToSlip(slipLeg(2));
    dispatchEvent(new Event('pagehide'));
    expect(stored.get('bet-slip')).toMatchObject({ legs: [slipLeg(1), slipLeg(2)] });
    await act(async () => undefined);
    stored.set('bet-slip', 'what another tab kept');
    dispatchEvent(new Event('pagehide'));
    expect(stored.get('bet-slip')).toBe('what another tab kept');
  });

  it('takes stakes of their own where they are not level', async () => {
    await open(slipLeg(1), slipLeg(2));
    await act(async () => void fireEvent.click(screen.getByRole('checkbox', { name: 'The same stake on each' })));
    await type(/^Stake on Selection 2/, '3,5');
    expect(totals()).toEqual(['4.50 units', '11.25 units']);
    await press('Record 2 bets');
    expect(calls(/user\/bets/).map(([, { body }]) => body.stakeMinor)).toEqual([100, 350]);
  });

  it('shows a moved price from old to new, and places nothing until it is accepted or dropped', async () => {
    now.set(1, { price: { oddsThousandths: 2400, fraction: null } });
    await open(slipLeg(1), slipLeg(2));
    expect(screen.getByText(/The price is shorter now/)).toHaveTextContent('2.50 → 2.40');
    expect(screen.getByRole('button', { name: /^Record/ })).toBeDisabled();
    await press(/^Accept 2\.40/);
    await press('Record 2 bets');
    expect(calls(/user\/bets/)[0]?.[1].body).toMatchObject({
      legs: [{ selectionId: 1, price: { oddsThousandths: 2400, fraction: null } }],
      stakeMinor: 100,
      currencyId: 2,
    });
  });

  it('takes another bookmaker’s price for a leg of a tipster, by the modal that only they have', async () => {
    await open(slipLeg(1), slipLeg(2));
    expect(screen.queryByRole('button', { name: /^Change bookmaker/ })).toBeNull();
    await act(async () => showMember(0, { user, settings, portfolios: [portfolio('ann', 1)] }));
    await press('Change bookmaker for Selection 2');
    const [name, props] = openModal.mock.calls[0] ?? [];
    expect([name, props?.leg]).toEqual(['change bookmaker', slipLeg(2)]);
    const other = slipLeg(2, { bookmakerId: 7, bookmakerName: 'Bet Seven', oddsThousandths: 2600 });
    await act(async () => props?.onChoose(other));
    expect(slipNow().legs).toEqual([slipLeg(1), other]);
    await press('Publish 2 tips');
    expect(calls(/add-tip/).map(([, { body }]) => body.legs)).toEqual(
      [slipLeg(1), other].map(({ fixtureReference, selectionId, bookmakerId, oddsThousandths }) => [
        { fixtureReference, selectionId, bookmakerId, oddsThousandths },
      ]),
    );
  });

  it('drops what was withdrawn when asked to', async () => {
    now.set(1, { state: 'withdrawn', price: null });
    await open(slipLeg(1), slipLeg(2));
    expect(screen.getByText(/has withdrawn/)).toHaveTextContent('Bet One has withdrawn 2.50.');
    await act(async () => void fireEvent.click(screen.getByText('Remove')));
    expect(slipNow().legs.map(({ selectionId }) => selectionId)).toEqual([2]);
  });

  it('says of a runner that was withdrawn that it does not run, which no other bookmaker changes', async () => {
    now.set(1, { state: 'nonRunner', price: null });
    await act(async () => showMember(0, { user, settings, portfolios: [portfolio('ann', 1)] }));
    await open(slipLeg(1, { selectionName: 'Slate Roof', fixtureName: '20:00 Ayr' }), slipLeg(2));
    expect(screen.getByText('Slate Roof was withdrawn from 20:00 Ayr.')).toBeInTheDocument();
    expect(screen.queryByText(/has withdrawn/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Change bookmaker for Slate Roof' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Change bookmaker for Selection 2' })).toBeInTheDocument();
    await act(async () => void fireEvent.click(screen.getByText('Remove')));
    expect(slipNow().legs.map(({ selectionId }) => selectionId)).toEqual([2]);
  });

  it('says of a match whose sides were switched that bets on it are void, which no other bookmaker changes', async () => {
    now.set(1, { state: 'switched', price: null });
    await open(slipLeg(1, { fixtureName: 'Athletic v Wanderers' }));
    expect(
      screen.getByText(
        'Athletic v Wanderers is announced with home and away the other way round now, and bets on it are void.',
      ),
    ).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^Change bookmaker/ })).toBeNull();
    expect(screen.getByRole('button', { name: /^Record/ })).toBeDisabled();
  });

  it('says when it is recorded what became of a runner meanwhile, not that a price moved', async () => {
    await open(slipLeg(1));
    now.set(1, { state: 'nonRunner', price: null });
    await press(/^Record/);
    expect(screen.getByText('A selection isn’t on offer. Remove it, then record the slip.')).toBeInTheDocument();
    expect(calls(/user.bets/)).toEqual([]);
  });

  it('says which bookmaker does not serve the country, and cannot be recorded with it', async () => {
    now.set(1, { state: 'blocked', price: null });
    await open(slipLeg(1));
    expect(screen.getByText('Bet One isn’t available in your country.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: /^Record/ })).toBeDisabled();
  });

  it('is filled by a guest, says what an account gives, and goes on with the login', async () => {
    await act(async () => showGuest());
    await open(slipLeg(1), slipLeg(2));
    expect(totals()).toEqual(['2.00 units', '5.00 units']);
    expect(screen.getByText(/With an account your bets are settled for you/)).toBeInTheDocument();
    await press('Log in to record');
    expect(openModal).toHaveBeenCalledWith('login', { redirectTo: '/', intent: { kind: 'slip' } });
    expect([calls(/user\/bets/), slipNow().legs.length]).toEqual([[], 2]);
  });

  it('tells the page of one’s own bets that another was recorded', async () => {
    await open(slipLeg(1));
    const before = getDefaultStore().get(recordedAtom);
    await press('Record 1 bet');
    expect(getDefaultStore().get(recordedAtom)).toBe(before + 1);
  });

  it('says once that a fixture has started, though it asked twice at once', async () => {
    now.set(1, { state: 'started', price: null });
    await act(async () => void addToSlip(slipLeg(1)));
    act(() => void render(<BetSlip />));
    await act(async () => void window.dispatchEvent(new Event('focus')));
    expect(calls(/prices/)).toHaveLength(2);
    expect(screen.getByText(/was removed/)).toHaveTextContent(/^Selection 1 was removed: Fixture 1 has started\.$/);
  });

  it('drops a fixture that has started, with a word', async () => {
    now.set(1, { state: 'started', price: null });
    await open(slipLeg(1), slipLeg(2));
    expect(await screen.findByText('Selection 1 was removed: Fixture 1 has started.')).toBeInTheDocument();
    expect(slipNow().legs.map(({ selectionId }) => selectionId)).toEqual([2]);
  });

  it('stops when a price moves between opening and placing', async () => {
    await open(slipLeg(1));
    now.set(1, { price: { oddsThousandths: 2300, fraction: null } });
    await press(/^Record/);
    expect(screen.getByText(/A price moved\. Accept or remove it/)).toBeInTheDocument();
    expect(calls(/user\/bets/)).toEqual([]);
  });

  it('offers each-way where the prices say that there are terms, and counts both parts', async () => {
    now.set(1, { eachWay: { places: 3, fraction: { numerator: 1, denominator: 5 }, basis: 'standard' } });
    await open(slipLeg(1, { oddsThousandths: 9000 }));
    await act(
      async () => void fireEvent.click(await screen.findByRole('checkbox', { name: /^Each-way on Selection 1/ })),
    );
    expect(totals()).toEqual(['2.00 units', '11.60 units']);
    await press(/^Record/);
    expect(calls(/user\/bets/)[0]?.[1].body).toMatchObject({ eachWay: true });
  });

  it('can be changed offline and says that it waits', async () => {
    await open(slipLeg(1));
    await act(async () => getDefaultStore().set(isOnlineAtom, false));
    expect(screen.getByText(/You are offline\. Your slip is kept on this device/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: /^Record/ })).toBeDisabled();
    await type(/^Stake/, '2');
    expect(slipNow().stake).toBe('2');
  });

  it('sends a double click once, and the same attempt again after the connection was lost', async () => {
    let tries = 0;
    answers['/user/bets'] = () => {
      tries += 1;
      if (tries === 1)
        throw new ApiError({ status: 0, text: '', url: '/api/user/bets', message: 'The site cannot be reached.' });
      return { reference: 'abcdefghjk' };
    };
    await open(slipLeg(1));
    const button = screen.getByRole('button', { name: /^Record/ });
    await act(async () => {
      fireEvent.click(button);
      fireEvent.click(button);
    });
    expect(await screen.findByText(/The connection was lost/)).toBeInTheDocument();
    expect(calls(/user\/bets/)).toHaveLength(1);
    await press(/^Record/);
    const keys = calls(/user\/bets/).map(([, { idempotencyKey }]) => idempotencyKey);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(await screen.findByText(/1 bet is in your record/)).toBeInTheDocument();
    expect(slipNow().legs).toEqual([]);
  });

  /** What a server does that records the first attempt (or not) and loses its answer, and knows each attempt by its name. */
  const losesFirstAnswer = (didRecord: boolean) => {
    const recorded: string[] = [];
    answers['/user/bets'] = () => {
      const sent = calls(/user\/bets/);
      const [, { body, idempotencyKey }] = sent.at(-1)!;
      const [{ price }] = body.legs as [{ price: { oddsThousandths: number } }];
      const onOffer = now.get(1)?.price?.oddsThousandths ?? 2500;
      const isOffered = sent.length === 1 || price.oddsThousandths <= onOffer;
      if ((sent.length > 1 || didRecord) && isOffered && !recorded.includes(idempotencyKey))
        recorded.push(idempotencyKey);
      if (sent.length === 1)
        throw new ApiError({ status: 0, text: '', url: '', message: 'The site cannot be reached.' });
      if (recorded.includes(idempotencyKey)) return { reference: 'abcdefghjk' };
      const moved = [{ selectionId: 1, bookmakerId: 1, now: { oddsThousandths: onOffer, fraction: null } }];
      throw new ApiError({ status: 409, text: '', url: '', answer: { message: 'A price has moved.', moved } });
    };
    return recorded;
  };
  const moveTo = (oddsThousandths: number) => now.set(1, { price: { oddsThousandths, fraction: null } });

  it.each([
    ['is recorded once though it was accepted', true, [2500, 2500]],
    ['is recorded at the price that was accepted', false, [2500, 2500, 2400]],
  ])('a bet whose answer was lost, and whose price moved then, %s', async (_, didRecord, sent) => {
    const recorded = losesFirstAnswer(didRecord);
    await open(slipLeg(1));
    await press(/^Record/);
    expect(await screen.findByText(/The connection was lost/)).toBeInTheDocument();
    moveTo(2400);
    await act(async () => void window.dispatchEvent(new Event('focus')));
    await press(/^Accept 2\.40/);
    await press(/^Record/);
    expect(await screen.findByText(/1 bet is in your record/)).toBeInTheDocument();
    expect(calls(/user\/bets/).map(([, { body }]) => (body.legs as { price: object }[])[0]?.price)).toEqual(
      sent.map((oddsThousandths) => ({ oddsThousandths, fraction: null })),
    );
    expect([recorded.length, slipNow().legs, slipNow().unanswered]).toEqual([1, [], []]);
  });

  it('asks what became of a bet whose answer was lost though its fixture has started since', async () => {
    losesFirstAnswer(true);
    await open(slipLeg(1));
    await press(/^Record/);
    now.set(1, { state: 'started', price: null });
    await act(async () => void window.dispatchEvent(new Event('focus')));
    expect(slipNow().legs).toHaveLength(1);
    expect(screen.getByText('Fixture 1 has started.')).toBeInTheDocument();
    await press(/^Record/);
    expect(await screen.findByText(/1 bet is in your record/)).toBeInTheDocument();
  });

  it('neither sends nor takes away what somebody else on the device sent that was not answered', async () => {
    losesFirstAnswer(false);
    await open(slipLeg(1));
    await press(/^Record/);
    const lost = slipNow().unanswered;
    expect(lost).toMatchObject([{ username: 'bob', sent: { bet: { stakeMinor: 100 } } }]);
    await act(async () => showMember(0, { user: { ...user, username: 'eve' }, settings, portfolios: [] }));
    answers['/user/bets'] = () => {
      throw new ApiError({ status: 400, text: '', url: '', answer: { message: 'Not today.' } });
    };
    await type(/^Stake/, '2');
    await press(/^Record/);
    expect(calls(/user\/bets/).map(([, { body }]) => body.stakeMinor)).toEqual([100, 200]);
    expect(slipNow().unanswered).toEqual(lost);
  });

  it('waits for a word where the slip was changed since an answer was lost', async () => {
    const recorded = losesFirstAnswer(false);
    await open(slipLeg(1));
    await press(/^Record/);
    await type(/^Stake/, '2');
    await press(/^Record/);
    expect(screen.getByText(/^Your last try got no answer, so it may be recorded/)).toBeInTheDocument();
    expect(calls(/user\/bets/)).toHaveLength(1);
    await press(/^Record/);
    expect(await screen.findByText(/1 bet is in your record/)).toBeInTheDocument();
    expect(recorded).toHaveLength(1);
  });

  it('publishes nothing to win only that was to be each-way, when the terms go in that very press', async () => {
    const eachWay = { places: 2, fraction: { numerator: 1, denominator: 4 }, basis: 'standard' } as const;
    await open(slipLeg(1, { eachWay }));
    await act(async () => void fireEvent.click(screen.getByRole('checkbox', { name: /^Each-way on Selection 1/ })));
    now.set(1, { eachWay: null });
    await press(/^Record/);
    expect(screen.getByText('Each-way terms changed. Check your slip, then record it.')).toBeInTheDocument();
    expect(screen.getByText(/Selection 1 can no longer be backed each-way/)).toBeInTheDocument();
    expect(calls(/user\/bets/)).toEqual([]);
    await press(/^Record/);
    expect(calls(/user\/bets/)[0]?.[1].body).toMatchObject({ eachWay: false });
  });

  it('keeps the bookmaker that was chosen while the prices were asked for, and each-way with it', async () => {
    const eachWay = { places: 3, fraction: { numerator: 1, denominator: 5 }, basis: 'standard' } as const;
    await open(slipLeg(1));
    now.set(1, { eachWay });
    let answer: (legs: LegNow[]) => void = () => undefined;
    api.mockImplementationOnce(async () => ({ legs: await new Promise<LegNow[]>((done) => void (answer = done)) }));
    await act(async () => void window.dispatchEvent(new Event('focus')));
    const other = slipLeg(1, { bookmakerId: 7, bookmakerName: 'Bet Seven', oddsThousandths: 2600 });
    await act(async () => void addToSlip(other));
    await act(async () => answer([nowOf(slipLeg(1), { eachWay })]));
    expect(slipNow().legs).toMatchObject([{ bookmakerId: 7, oddsThousandths: 2600 }]);
    await act(async () => void fireEvent.click(screen.getByRole('checkbox', { name: /^Each-way on Selection 1/ })));
    await act(async () => void addToSlip(slipLeg(1)));
    expect(slipNow()).toMatchObject({ eachWay: [1], legs: [{ bookmakerId: 1, eachWay }] });
  });

  it('says of a published tip that it is one, though the next goes into one’s own record', async () => {
    await act(async () => showMember(0, { user, settings, portfolios: [portfolio('ann', 1)] }));
    await open(slipLeg(1));
    await press('Publish 1 tip');
    await act(async () => void addToSlip(slipLeg(2)));
    await act(async () => void fireEvent.click(screen.getByRole('radio', { name: 'My own bets, private' })));
    expect(screen.getByText(/1 tip was published/)).toBeInTheDocument();
    await press('Record 1 bet');
    expect(screen.getByText(/1 tip was published/)).toBeInTheDocument();
    expect(screen.getByText(/1 bet is in your record/)).toBeInTheDocument();
  });

  it('shows the words of a tip to nobody else who signs in on the device', async () => {
    await act(async () => showMember(0, { user, settings, portfolios: [portfolio('ann', 1)] }));
    await open(slipLeg(1));
    await type('Analysis', 'For members only.');
    await type('Lowest price worth taking', '2.40');
    await act(async () =>
      showMember(0, { user: { ...user, username: 'eve' }, settings, portfolios: [portfolio('eve', 2)] }),
    );
    expect(screen.getByLabelText('Analysis')).toHaveValue('');
    await type('Analysis', 'Mine.');
    await press('Publish 1 tip');
    expect(calls(/add-tip/)[0]?.[1].body).toMatchObject({ analysis: 'Mine.' });
    expect(calls(/add-tip/)[0]?.[1].body).not.toHaveProperty('minPrice');
  });

  it('publishes the accumulator in the portfolio that a tipster chose, with the words of the tip', async () => {
    await act(async () => showMember(0, { user, settings, portfolios: [portfolio('one', 1), portfolio('two', 2)] }));
    await open(slipLeg(1), slipLeg(2));
    await act(async () => void fireEvent.click(screen.getByRole('radio', { name: 'Double' })));
    await act(
      async () =>
        void fireEvent.change(screen.getByRole('combobox', { name: 'Portfolio' }), { target: { value: 'two' } }),
    );
    await type('Analysis', 'Both are strong at home.');
    await act(async () => void fireEvent.click(screen.getByRole('checkbox', { name: 'Hidden until the start' })));
    await press('Publish 1 tip');
    expect(calls(/add-tip/)).toMatchObject([
      [
        '/user/portfolio/two/tips/add-tip',
        {
          body: {
            legs: [{ selectionId: 1, oddsThousandths: 2500 }, { selectionId: 2 }],
            stakeHundredths: 100,
            analysis: 'Both are strong at home.',
            free: true,
            hidden: true,
          },
        },
      ],
    ]);
    expect(await screen.findByRole('link', { name: 'Double' })).toHaveAttribute('href', '/tipster/two/tips/tipref1001');
  });

  it('keeps what was refused, with the reason, and what was placed before it out', async () => {
    let count = 0;
    answers['/user/bets'] = () => {
      count += 1;
      if (count === 2)
        throw new ApiError({
          status: 409,
          text: '',
          url: '',
          answer: { message: 'Fixture 2 has started. Take it out of the tip.' },
        });
      return { reference: 'abcdefghjk' };
    };
    await open(slipLeg(1), slipLeg(2));
    await press('Record 2 bets');
    expect(await screen.findByText('Fixture 2 has started. Take it out of the tip.')).toBeInTheDocument();
    expect(
      getDefaultStore()
        .get(betSlipAtom)
        .legs.map(({ selectionId }) => selectionId),
    ).toEqual([2]);
  });
});
