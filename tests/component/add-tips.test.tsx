import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { AddTips } from '@/components/add-tips/add-tips';
import { ChangeBookmaker } from '@/components/add-tips/change-bookmaker';
import { ChangeDescription } from '@/components/add-tips/change-description';
import { Desk } from '@/components/add-tips/desk';
import { keepDraft, noteSent, readDraft } from '@/components/state/tip-draft';
import { FavouriteSports } from '@/components/add-tips/favourite-sports';
import { ModalHost } from '@/components/modals/modal-host';
import { clearSlip, slipNow } from '@/components/state/bet-slip';
import { closeModals } from '@/components/state/modals';
import { type Identity, showGuest, showMember } from '@/components/state/viewer';
import type { SlipLeg } from '@/lib/bets/rules';
import type { FixtureDetail, MarketsView } from '@/lib/fixtures/schema';
import { Role } from '@/lib/reference/schema';
import { teachDialogs } from '../support/dialogs';
import { market, marketsView, quote, selection } from '../support/markets';
import { fixtureRow } from '../unit/fixtures/rows';

teachDialogs();

const portfolio = (reference: string, name: string, type: number) => ({
  reference,
  name,
  type,
  sells: type === 2,
  defaultTipStake: 1.5,
  description: `${name} tips.`,
});

const identity = (...portfolios: object[]) =>
  ({
    user: { username: 'ann', emailConfirmed: true },
    settings: { timezoneId: 33, oddsDisplayType: 'decimal' },
    portfolios,
  }) as unknown as Identity;

const beTipster = (...more: object[]) =>
  act(() => showMember(Role.user, identity(portfolio('ann-open', 'Ann Open', 1), ...more)));

type Answer = { status: number; body: unknown };

let answers: Map<string, Answer | (() => Answer | Promise<Answer>)>;
let sent: { url: string; body: Record<string, unknown>; key: string | null }[];
let fixtures = 0;

beforeEach(() => {
  answers = new Map();
  sent = [];
  fixtures += 1;
  global.fetch = jest.fn(async (address: string | URL | Request, init?: RequestInit) => {
    const url = String(address).split('?')[0] ?? '';
    if (init?.body)
      sent.push({
        url,
        body: JSON.parse(String(init.body)) as Record<string, unknown>,
        key: new Headers(init.headers).get('idempotency-key'),
      });
    const found = answers.get(url) ?? { status: 503, body: { message: 'Come back later.' } };
    const { status, body } = await (typeof found === 'function' ? found() : found);
    return {
      ok: status < 400,
      status,
      statusText: '',
      headers: new Headers(),
      text: async () => JSON.stringify(body),
    } as Response;
  });
});

afterEach(() => {
  cleanup();
  act(() => {
    closeModals();
    clearSlip();
    showGuest();
  });
});

const reference = () => `rovers-v-town-${fixtures}`;

const leg = (said: Partial<SlipLeg> = {}): SlipLeg => ({
  ...{
    fixtureReference: reference(),
    fixtureName: 'Rovers v Town',
    sportReference: 'football',
    startsAt: '2026-03-07T15:00:00.000Z',
    marketName: 'Match result',
  },
  ...{
    selectionId: 1,
    selectionName: 'Rovers',
    bookmakerId: 101,
    bookmakerName: 'Bet One',
    oddsThousandths: 2100,
    fraction: null,
    eachWay: null,
  },
  ...said,
});

const view = (thousandths: number, said = {}): MarketsView => ({
  ...marketsView([
    market(1, 'match-result', [
      selection(1, 'home', 'Rovers', [quote(thousandths, said), quote(2050, { bookmakerId: 102 })]),
      selection(2, 'away', 'Town', [quote(3400)]),
    ]),
  ]),
  fixtureReference: reference(),
});

const offer = (markets: MarketsView) =>
  answers.set(`/api/fixture/${reference()}/markets`, { status: 200, body: markets });
const published = { status: 201, body: { reference: 'abcdefghij', publishedAt: '2026-03-06T15:00:00.000Z' } };
const publishCall = (portfolioReference = 'ann-open') => `/api/user/portfolio/${portfolioReference}/tips/add-tip`;
const publish = () => fireEvent.click(screen.getByRole('button', { name: /^Publish in / }));

describe('the form of a tip', () => {
  test('sends what was chosen and typed, named by its content, and says where it is then', async () => {
    offer(view(2100));
    answers.set(publishCall('ann-members'), published);
    beTipster(portfolio('ann-members', 'Ann Members', 2));
    render(
      <AddTips
        leg={leg({ eachWay: { places: 3, fraction: { numerator: 1, denominator: 5 }, basis: 'standard' } })}
        onClose={jest.fn()}
      />,
    );
    expect(screen.queryByLabelText('For members only until the start')).toBeNull();
    fireEvent.change(screen.getByLabelText('Portfolio'), { target: { value: 'ann-members' } });
    expect(screen.getByLabelText('Stake in units')).toHaveValue(1.5);
    fireEvent.change(screen.getByLabelText('Stake in units'), { target: { value: '2.25' } });
    fireEvent.change(screen.getByLabelText('Analysis'), { target: { value: ' Strong at home. ' } });
    fireEvent.click(screen.getByLabelText('Each-way: 3 places at 1/5; 4.50 units in all'));
    fireEvent.click(screen.getByLabelText('For members only until the start'));
    fireEvent.click(screen.getByLabelText('Hide it from everyone except members until the start'));
    const button = screen.getByRole('button', { name: 'Publish in Ann Members' });
    fireEvent.click(button);
    fireEvent.click(button);
    expect(await screen.findByText(/Published in Ann Members: Rovers at/)).toBeVisible();
    expect(sent).toEqual([
      {
        url: publishCall('ann-members'),
        key: expect.stringMatching(/^tip-[a-z0-9-]+$/),
        body: {
          legs: [{ fixtureReference: reference(), selectionId: 1, bookmakerId: 101, oddsThousandths: 2100 }],
          stakeHundredths: 225,
          eachWay: true,
          analysis: 'Strong at home.',
          free: false,
          hidden: true,
        },
      },
    ]);
    expect(screen.getByRole('link', { name: 'See the tip' })).toHaveAttribute(
      'href',
      '/tipster/ann-members/tips/abcdefghij',
    );
    expect(screen.getByRole('link', { name: 'See it in the record' })).toHaveAttribute(
      'href',
      '/ledger?tip=abcdefghij',
    );
    await waitFor(async () => expect(await readDraft()).toBeNull());
  });

  test('a personal portfolio is not on the record, and hides nothing from nobody', async () => {
    offer(view(2100));
    answers.set(publishCall('ann-alone'), published);
    act(() => showMember(Role.user, identity(portfolio('ann-alone', 'Ann Alone', 0))));
    render(<AddTips leg={leg()} onClose={jest.fn()} />);
    expect(screen.queryByLabelText(/^Hide it/)).toBeNull();
    publish();
    await screen.findByText(/Published in Ann Alone/);
    expect(screen.queryByRole('link', { name: 'See it in the record' })).toBeNull();
  });

  test('sends the least price that was typed, and refuses one above the price taken with the highest that can stand', async () => {
    offer(view(2100));
    answers.set(publishCall(), published);
    beTipster();
    render(<AddTips leg={leg()} onClose={jest.fn()} />);
    const field = screen.getByLabelText('Lowest price worth taking');
    fireEvent.change(field, { target: { value: '2.15' } });
    publish();
    expect((await screen.findAllByText(/Enter 2.10 or less/)).length).toBeGreaterThan(0);
    expect(sent).toEqual([]);
    fireEvent.change(field, { target: { value: '2,00' } });
    publish();
    await screen.findByText(/Published in Ann Open/);
    expect(sent[0]?.body.minPrice).toEqual({ oddsThousandths: 2000, fraction: null });
  });

  test('reads the least price in the member’s own odds, and says in them what can stand', async () => {
    offer(view(5800));
    answers.set(publishCall(), published);
    const { settings, ...rest } = identity(portfolio('ann-open', 'Ann Open', 1));
    act(() => showMember(Role.user, { ...rest, settings: { ...settings, oddsDisplayType: 'fraction' } }));
    render(<AddTips leg={leg({ oddsThousandths: 5800 })} onClose={jest.fn()} />);
    const field = screen.getByLabelText('Lowest price worth taking');
    expect(field).toHaveAttribute('inputmode', 'text');
    fireEvent.change(field, { target: { value: '5/1' } });
    publish();
    expect((await screen.findAllByText(/Enter 24\/5 or less/)).length).toBeGreaterThan(0);
    fireEvent.change(field, { target: { value: '24/5' } });
    publish();
    await screen.findByText(/Published in Ann Open/);
  });

  test.each(['', '0.05', '10.5', '1.234'])(
    'refuses a stake of "%s" with what to do, and sends nothing',
    async (stake) => {
      offer(view(2100));
      beTipster();
      render(<AddTips leg={leg()} onClose={jest.fn()} />);
      fireEvent.change(screen.getByLabelText('Stake in units'), { target: { value: stake } });
      publish();
      expect(
        await screen.findByText(
          stake === '' ? 'Enter a stake.' : 'Enter a stake from 0.1 to 10 units with two decimal places at most.',
        ),
      ).toBeVisible();
      expect(sent).toEqual([]);
    },
  );

  test('takes a longer price that the page learns of, and asks about a shorter one before it is sent', async () => {
    offer(view(2200));
    beTipster();
    const { unmount } = render(<AddTips leg={leg()} onClose={jest.fn()} />);
    expect(await screen.findByText('2.20')).toBeVisible();
    expect(screen.getByRole('button', { name: /^Publish/ })).toBeEnabled();
    unmount();
    fixtures += 1;
    offer(view(1950));
    render(<AddTips leg={leg()} onClose={jest.fn()} />);
    act(() => screen.getByLabelText('Analysis').focus());
    expect(await screen.findByRole('alert')).toHaveTextContent('The price moved: 2.10 → 1.95 at Bet One.');
    expect(screen.getByLabelText('Analysis')).toHaveFocus();
    expect(screen.getByRole('button', { name: /^Publish/ })).toBeDisabled();
    fireEvent.click(screen.getByRole('button', { name: 'Accept 1.95' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(screen.getByRole('button', { name: /^Publish/ })).toBeEnabled();
  });

  test('shows what the server says of the price over what the page was sent, keeps what was typed, and sends it under another name', async () => {
    offer(view(2100));
    const moved = {
      status: 409,
      body: {
        message: 'A price has moved.',
        moved: [
          {
            fixtureReference: reference(),
            selectionId: 1,
            bookmakerId: 101,
            now: { oddsThousandths: 1900, fraction: null },
          },
        ],
      },
    };
    answers.set(publishCall(), () => (sent.length === 1 ? moved : published));
    beTipster();
    render(<AddTips leg={leg()} onClose={jest.fn()} />);
    fireEvent.change(screen.getByLabelText('Analysis'), { target: { value: 'Typed before.' } });
    publish();
    expect(await screen.findByRole('button', { name: 'Accept 1.90' })).toHaveFocus();
    fireEvent.click(screen.getByRole('button', { name: 'Accept 1.90' }));
    expect(screen.getByLabelText('Analysis')).toHaveValue('Typed before.');
    publish();
    expect(await screen.findByText(/Published in Ann Open/)).toBeVisible();
    expect(sent.map(({ body }) => (body.legs as { oddsThousandths: number }[])[0]?.oddsThousandths)).toEqual([
      2100, 1900,
    ]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
  });

  test('a price that is gone can be dropped, which forgets the tip', async () => {
    offer(view(2100, { pulled: true }));
    beTipster();
    const onClose = jest.fn();
    render(<AddTips leg={leg()} onClose={onClose} />);
    expect(await screen.findByRole('alert')).toHaveTextContent('Bet One no longer offers 2.10.');
    fireEvent.click(screen.getByRole('button', { name: 'Discard this tip' }));
    expect(onClose).toHaveBeenCalled();
    await waitFor(async () => expect(await readDraft()).toBeNull());
  });

  test('a started fixture is said, with the way back to its sport', async () => {
    offer(view(2100));
    answers.set(publishCall(), {
      status: 409,
      body: {
        message: 'Rovers v Town has started. Take it out of the tip.',
        fields: { 'legs.0.fixtureReference': 'has started' },
      },
    });
    beTipster();
    render(<AddTips leg={leg()} onClose={jest.fn()} />);
    publish();
    expect(await screen.findByText(/Rovers v Town has started/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Choose another fixture' })).toHaveAttribute('href', '/add-tips/football');
  });

  test('an answer that is lost can be sent again as it was, under the same name', async () => {
    offer(view(2100));
    answers.set(publishCall(), () =>
      sent.length === 1 ? { status: 503, body: { message: 'Come back later.' } } : published,
    );
    beTipster();
    render(<AddTips leg={leg()} onClose={jest.fn()} />);
    publish();
    expect(await screen.findByText('Come back later.')).toBeVisible();
    publish();
    await screen.findByText(/Published in Ann Open/);
    expect(sent[0]?.key).toBe(sent[1]?.key);
  });

  /** A server that answers nothing the first time, whether or not it recorded what was sent, and knows each attempt by its name. */
  const losesFirstAnswer = (didRecord: boolean, offersThousandths: number) => {
    const recorded = new Map<string, unknown>();
    answers.set(publishCall(), () => {
      const { key, body } = sent.at(-1)!;
      const legs = body.legs as { oddsThousandths: number }[];
      const isOffered = sent.length === 1 || legs[0]!.oddsThousandths <= offersThousandths;
      if ((sent.length > 1 || didRecord) && isOffered) recorded.set(key ?? '', body);
      if (sent.length === 1) return { status: 503, body: { message: 'Come back later.' } };
      const price = { fixtureReference: reference(), selectionId: 1, bookmakerId: 101 };
      const moved = [{ ...price, now: { oddsThousandths: offersThousandths, fraction: null } }];
      return recorded.has(key ?? '') ? published : { status: 409, body: { message: 'A price has moved.', moved } };
    });
    return recorded;
  };
  const oddsSent = () => sent.map(({ body }) => (body.legs as { oddsThousandths: number }[])[0]?.oddsThousandths);

  test.each([2150, 1950])(
    'a tip whose answer was lost is not published again at %i, to which the price moved',
    async (to) => {
      offer({ ...view(2100), markets: [] });
      const recorded = losesFirstAnswer(true, to);
      beTipster();
      const { unmount } = render(<AddTips leg={leg()} onClose={jest.fn()} />);
      publish();
      expect(await screen.findByText('Come back later.')).toBeVisible();
      unmount();
      const draft = await waitFor(async () => {
        const kept = await readDraft();
        expect(kept).toMatchObject({ isOpen: false });
        return kept!;
      });
      render(<AddTips leg={leg({ oddsThousandths: to })} draft={draft} onClose={jest.fn()} />);
      publish();
      expect(await screen.findByText(/Published in Ann Open/)).toBeVisible();
      expect([oddsSent(), recorded.size]).toEqual([[2100, 2100], 1]);
      await waitFor(async () => expect(await readDraft()).toBeNull());
    },
  );

  test('what was not published by the try whose answer was lost goes at the price that was accepted', async () => {
    offer({ ...view(2100), markets: [] });
    const recorded = losesFirstAnswer(false, 1950);
    beTipster();
    const { unmount } = render(<AddTips leg={leg()} onClose={jest.fn()} />);
    publish();
    expect(await screen.findByText('Come back later.')).toBeVisible();
    unmount();
    const draft = await waitFor(async () => {
      const kept = await readDraft();
      expect(kept).toMatchObject({ isOpen: false });
      return kept!;
    });
    render(<AddTips leg={leg({ oddsThousandths: 1950 })} draft={draft} onClose={jest.fn()} />);
    publish();
    expect(await screen.findByText(/Published in Ann Open/)).toBeVisible();
    expect([oddsSent(), recorded.size]).toEqual([[2100, 2100, 1950], 1]);
  });

  test('a price that moved after an answer was lost does not say that nothing was published, and lets it be asked', async () => {
    offer(view(1950));
    const recorded = losesFirstAnswer(true, 1950);
    beTipster();
    const tip = {
      legs: [{ fixtureReference: reference(), selectionId: 1, bookmakerId: 101, oddsThousandths: 2100 }],
      ...{ stakeHundredths: 150, eachWay: false, analysis: '', free: true, hidden: false },
    };
    const form = { portfolioReference: 'ann-open', stake: '1.5', eachWay: false, analysis: '', membersOnly: false };
    sent.push({ url: publishCall(), body: tip, key: 'tip-before' });
    recorded.set('tip-before', tip);
    render(
      <AddTips
        leg={leg()}
        draft={{
          form: { ...form, hidden: false, minPrice: '' },
          unanswered: { key: 'tip-before', portfolioReference: 'ann-open', tip },
        }}
        onClose={jest.fn()}
      />,
    );
    expect(await screen.findByRole('alert')).toHaveTextContent(/Your last try got no answer\./);
    expect(screen.queryByText(/Nothing has been published/)).toBeNull();
    publish();
    expect(await screen.findByText(/Published in Ann Open/)).toBeVisible();
    expect(sent.map(({ key }) => key)).toEqual(['tip-before', 'tip-before']);
    expect([oddsSent(), recorded.size]).toEqual([[2100, 2100], 1]);
  });

  const written = () => ({
    leg: leg(),
    form: {
      ...{ portfolioReference: 'ann-open', stake: '1.5', eachWay: false, analysis: '' },
      ...{ membersOnly: false, hidden: false, minPrice: '' },
    },
  });

  test('a tip that another tab sent and got no answer for is not published again, whatever is typed here', async () => {
    offer({ ...view(2100), markets: [] });
    answers.set(publishCall(), published);
    beTipster();
    render(<AddTips leg={leg({ oddsThousandths: 1950 })} onClose={jest.fn()} />);
    const tip = {
      legs: [{ fixtureReference: reference(), selectionId: 1, bookmakerId: 101, oddsThousandths: 2100 }],
      ...{ stakeHundredths: 150, eachWay: false, analysis: 'So be it.', free: true, hidden: false },
    };
    await act(() => noteSent(written(), { key: 'tip-before', portfolioReference: 'ann-open', tip }));
    fireEvent.change(screen.getByLabelText('Analysis'), { target: { value: 'So be it.' } });
    await waitFor(async () =>
      expect(await readDraft()).toMatchObject({ form: { analysis: 'So be it.' }, unanswered: { key: 'tip-before' } }),
    );
    publish();
    expect(await screen.findByText(/Published in Ann Open/)).toBeVisible();
    expect([sent.map(({ key }) => key), oddsSent()]).toEqual([['tip-before'], [2100]]);
  });

  test('a tip closed while it was being sent stays closed when it is refused, and is forgotten when it is published', async () => {
    offer({ ...view(2100), markets: [] });
    beTipster();
    let answer: (answer: Answer) => void = () => undefined;
    answers.set(publishCall(), () => new Promise((resolve) => (answer = resolve)));
    const sendAndClose = async (tries: number) => {
      const { unmount } = render(<AddTips leg={leg()} onClose={jest.fn()} />);
      publish();
      await waitFor(() => expect(sent).toHaveLength(tries));
      unmount();
      await waitFor(async () => expect(await readDraft()).toMatchObject({ isOpen: false, unanswered: {} }));
    };
    await sendAndClose(1);
    answer({ status: 400, body: { message: 'Not so.' } });
    await waitFor(async () => expect(await readDraft()).toMatchObject({ isOpen: false, unanswered: null }));
    await sendAndClose(2);
    answer(published);
    await waitFor(async () => expect(await readDraft()).toBeNull());
  });

  test('a tip that opened by itself is closed for good, without a key typed', async () => {
    offer(view(2100));
    beTipster();
    await keepDraft(written());
    const draft = (await readDraft()) ?? undefined;
    expect(draft).toMatchObject({ isOpen: true });
    render(<AddTips leg={leg()} draft={draft} onClose={jest.fn()} />).unmount();
    await waitFor(async () => expect(await readDraft()).toMatchObject({ isOpen: false }));
  });

  test('what was changed after an answer was lost waits for a word', async () => {
    offer(view(2100));
    answers.set(publishCall(), () => (sent.length === 1 ? { status: 503, body: { message: 'Later.' } } : published));
    beTipster();
    render(<AddTips leg={leg()} onClose={jest.fn()} />);
    publish();
    expect(await screen.findByText('Later.')).toBeVisible();
    fireEvent.change(screen.getByLabelText('Analysis'), { target: { value: 'Better said.' } });
    publish();
    expect(await screen.findByText(/^Your last try got no answer, so it may be recorded/)).toBeVisible();
    expect(sent).toHaveLength(1);
    publish();
    expect(await screen.findByText(/Published in Ann Open/)).toBeVisible();
    expect(sent[1]?.body.analysis).toBe('Better said.');
  });

  test('a login that ended says nothing of the try before it', async () => {
    // This browser has no other page to go to.
    const silent = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    offer(view(2100));
    const statuses = [503, 401];
    answers.set(publishCall(), () => {
      const status = statuses[sent.length - 1];
      return status ? { status, body: { message: `No ${status}.` } } : published;
    });
    beTipster();
    render(<AddTips leg={leg()} onClose={jest.fn()} />);
    publish();
    expect(await screen.findByText('No 503.')).toBeVisible();
    publish();
    expect(await screen.findByText('No 401.')).toBeVisible();
    expect(await readDraft()).toMatchObject({ isOpen: true, unanswered: { key: sent[0]?.key } });
    silent.mockRestore();
  });

  test('tips on several selections are kept beside each other, and looking at one keeps nothing', async () => {
    offer(view(2100));
    beTipster();
    const first = render(<AddTips leg={leg()} onClose={jest.fn()} />);
    fireEvent.change(screen.getByLabelText('Analysis'), { target: { value: 'A long thought' } });
    first.unmount();
    const second = render(<AddTips leg={leg({ selectionId: 2 })} onClose={jest.fn()} />);
    second.unmount();
    const of = (selectionId: number) => readDraft(({ leg: own }) => own.selectionId === selectionId);
    await waitFor(async () => expect(await of(1)).toMatchObject({ form: { analysis: 'A long thought' } }));
    expect(await of(2)).toBeNull();
    answers.set(publishCall(), published);
    render(<AddTips leg={leg({ selectionId: 2 })} onClose={jest.fn()} />);
    publish();
    expect(await screen.findByText(/Published in Ann Open/)).toBeVisible();
    expect(await of(1)).toMatchObject({ isOpen: false, form: { analysis: 'A long thought' } });
  });

  test('what was typed is kept on the device, also once it was closed', async () => {
    offer(view(2100));
    beTipster();
    const { unmount } = render(<AddTips leg={leg()} onClose={jest.fn()} />);
    fireEvent.change(screen.getByLabelText('Analysis'), { target: { value: 'Half a thought' } });
    await waitFor(async () =>
      expect(await readDraft()).toMatchObject({ isOpen: true, form: { analysis: 'Half a thought' } }),
    );
    unmount();
    await waitFor(async () =>
      expect(await readDraft()).toMatchObject({ isOpen: false, form: { analysis: 'Half a thought' } }),
    );
  });
});

test('another bookmaker’s price is chosen for the same selection, the withdrawn one struck through', async () => {
  offer({
    ...view(2100),
    markets: [
      market(1, 'match-result', [
        selection(1, 'home', 'Rovers', [
          quote(2100),
          quote(2050, { bookmakerId: 102 }),
          quote(2300, { bookmakerId: 45, pulled: true }),
        ]),
      ]),
    ],
  });
  beTipster();
  const [onChoose, onClose] = [jest.fn(), jest.fn()];
  render(<ChangeBookmaker leg={leg()} onChoose={onChoose} onClose={onClose} />);
  const prices = await screen.findByRole('list', { name: 'Prices of Rovers' });
  expect(within(prices).getByRole('button', { name: '2.10 at Bet One' })).toHaveAttribute('aria-pressed', 'true');
  expect(prices.querySelector('s')).toHaveTextContent('2.30');
  fireEvent.click(within(prices).getByRole('button', { name: '2.05 at Bet Two' }));
  expect(onChoose).toHaveBeenCalledWith(leg({ bookmakerId: 102, bookmakerName: 'Bet Two', oddsThousandths: 2050 }));
  expect(onClose).toHaveBeenCalled();
});

test('the description of a portfolio is changed, and what was typed stays when it is refused', async () => {
  beTipster();
  answers.set('/api/user/portfolio/ann-open', { status: 200, body: portfolio('ann-open', 'Ann Open', 1) });
  answers.set('/api/user/portfolio', {
    status: 400,
    body: { message: 'Not so.', fields: { description: 'may have 4000 characters at most' } },
  });
  render(<ChangeDescription portfolioReference="ann-open" onClose={jest.fn()} />);
  const field = await screen.findByLabelText('Description of Ann Open');
  expect(field).toHaveValue('Ann Open tips.');
  fireEvent.change(field, { target: { value: 'Football at home.' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save the description' }));
  expect(await screen.findByText('May have 4000 characters at most.')).toBeVisible();
  expect(field).toHaveValue('Football at home.');
  expect(sent[0]?.body).toEqual({ reference: 'ann-open', description: 'Football at home.' });
});

describe('the desk', () => {
  const fixture = (): FixtureDetail => ({
    ...fixtureRow({ reference: reference() }),
    handicap: false,
    placesKnown: 0,
    runners: [],
  });
  const show = () =>
    render(
      <>
        <Desk fixture={fixture()} entrance={<p>Log in to add a tip</p>} />
        <ModalHost />
      </>,
    );

  test('asks for no markets for a guest, who sees the way in', () => {
    act(() => showGuest());
    show();
    expect(screen.getByText('Log in to add a tip')).toBeVisible();
    expect(global.fetch).not.toHaveBeenCalled();
  });

  test('asks for the prices that tips can be taken at, and opens the tip on one', async () => {
    offer(view(2100));
    beTipster();
    show();
    fireEvent.click(await screen.findByRole('button', { name: /^Rovers ?, 2\.10/ }));
    const dialog = await screen.findByRole('dialog', { name: 'Add a tip' });
    expect(await within(dialog).findByText('Match result · Rovers v Town ·', { exact: false })).toBeVisible();
    expect((global.fetch as jest.Mock).mock.calls.map(([url]) => String(url))).toContain(
      `/api/fixture/${reference()}/markets?showAll=true&pinnacleOnly=false&purpose=addTips`,
    );
  });

  test('puts what a member without a portfolio chooses into the bet slip, and takes it out again', async () => {
    offer(view(2100));
    act(() => showMember(Role.user, identity()));
    show();
    const price = await screen.findByRole('button', { name: /^Rovers ?, 2\.10/ });
    fireEvent.click(price);
    expect(slipNow().legs).toEqual([leg()]);
    expect(price).toHaveAttribute('aria-pressed', 'true');
    fireEvent.click(price);
    expect(slipNow().legs).toEqual([]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('says why there are no prices, and asks again', async () => {
    beTipster();
    show();
    expect(await screen.findByRole('alert')).toHaveTextContent('Come back later.');
    offer(view(2100));
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('button', { name: /^Rovers ?, 2\.10/ })).toBeVisible();
  });
});

test('a favourite sport stands first, until it is one no longer', async () => {
  const sport = (reference: string, name: string) => ({
    reference,
    name,
    href: `/add-tips/${reference}`,
    icon: { src: '/a.svg', whiteSrc: '/b.svg' },
    coming: 3,
  });
  render(<FavouriteSports sports={[sport('football', 'Football'), sport('golf', 'Golf')]} />);
  const order = () => screen.getAllByRole('link').map(({ textContent }) => textContent);
  fireEvent.click(screen.getByRole('button', { name: 'Favourite: Golf' }));
  await waitFor(() => expect(order()).toEqual(['Golf3', 'Football3']));
  fireEvent.click(screen.getByRole('button', { name: 'Favourite: Golf' }));
  await waitFor(() => expect(order()).toEqual(['Football3', 'Golf3']));
});
