import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { BetFilterForm } from '@/components/bet-slip/bet-filter-form';
import { BetList } from '@/components/bet-slip/bet-list';
import { BetSlipSection } from '@/components/bet-slip/bet-slip-section';
import { SlipButton } from '@/components/bet-slip/slip-button';
import { legFromPage, toggleFromPage } from '@/components/bet-slip/slip-from-page';
import { SlipLink } from '@/components/bet-slip/slip-link';
import { fixtureMark, marketMark, selectionMark } from '@/components/bet-slip/slip-marks';
import { TookThisForm } from '@/components/bet-slip/took-this-form';
import { addToSlip, editSlip, slipNow } from '@/components/state/bet-slip';
import { Odds } from '@/components/formats/odds';
import { emptySlip, priceOf } from '@/lib/bets/rules';
import { betFilterSchema, type BetView } from '@/lib/bets/schema';
import { currencies } from '@/lib/reference/schema';
import type * as FakeStorage from '../support/fake-storage';
import { slipLeg } from '../support/slip-leg';
import { asSent } from '../support/sent-calls';

const api = jest.fn();
const showFeedback = jest.fn();
const refresh = jest.fn();

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
jest.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => refresh() as unknown }) }));

const calls = (path: RegExp) =>
  api.mock.calls.filter(([called]) => path.test(String(called))) as [
    string,
    { body: Record<string, unknown>; idempotencyKey: string },
  ][];

beforeEach(async () => {
  jest.resetAllMocks();
  api.mockResolvedValue({ reference: 'abcdefghjk' });
  await act(async () => void editSlip(() => emptySlip));
});

const press = async (name: string | RegExp) =>
  act(async () => void fireEvent.click(screen.getByRole('button', { name })));
const type = async (label: string | RegExp, value: string) =>
  act(async () => void fireEvent.change(screen.getByLabelText(label), { target: { value } }));

describe('a price on a page', () => {
  const page = (
    <section
      {...fixtureMark({
        reference: 'rovers-v-town',
        name: 'Rovers v Town',
        sportReference: 'football',
        startsAt: '2026-03-10T20:00:00.000Z',
      })}
      {...marketMark('Match result')}
    >
      <p {...selectionMark('Rovers')}>
        <SlipButton selectionId={7} bookmaker={{ id: 3, name: 'Bet Three' }} label="Rovers 2.50 at Bet Three">
          <Odds price={{ oddsThousandths: 2500, fraction: { numerator: 6, denominator: 4 } }} display="decimal" />
        </SlipButton>
      </p>
    </section>
  );

  it('says by its marks what it is', () => {
    render(page);
    expect(legFromPage(screen.getByRole('button', { name: 'Rovers 2.50 at Bet Three' }))).toEqual({
      ...{
        fixtureReference: 'rovers-v-town',
        fixtureName: 'Rovers v Town',
        sportReference: 'football',
        startsAt: '2026-03-10T20:00:00.000Z',
      },
      ...{
        marketName: 'Match result',
        selectionId: 7,
        selectionName: 'Rovers',
        bookmakerId: 3,
        bookmakerName: 'Bet Three',
        oddsThousandths: 2500,
        fraction: '6/4',
        eachWay: null,
      },
    });
  });

  it('goes into the slip and out again, is marked as pressed, and the header counts it', async () => {
    render(
      <>
        <SlipLink />
        {page}
      </>,
    );
    const button = screen.getByRole('button', { name: 'Rovers 2.50 at Bet Three' });
    await act(async () => toggleFromPage(button));
    expect([
      slipNow().legs.length,
      button.getAttribute('aria-pressed'),
      document.querySelector('[data-slip-count]')?.textContent,
    ]).toEqual([1, 'true', '1']);
    await act(async () => toggleFromPage(button));
    expect([slipNow().legs.length, button.getAttribute('aria-pressed')]).toEqual([0, 'false']);
    expect(showFeedback).toHaveBeenCalledTimes(2);
  });

  it('says that the slip is full', async () => {
    render(page);
    await act(async () => Array.from({ length: 12 }, (_, index) => addToSlip(slipLeg(100 + index))));
    await act(async () => toggleFromPage(screen.getByRole('button', { name: 'Rovers 2.50 at Bet Three' })));
    expect(showFeedback).toHaveBeenCalledWith(
      expect.objectContaining({ title: 'Your bet slip is full', kind: 'error' }),
    );
  });
});

describe('the record of one’s own bets', () => {
  const bet = (more: Partial<BetView> = {}): BetView => ({
    ...{
      reference: 'abcdefghjk',
      placedAt: '2026-03-10T12:00:00.000Z',
      enteredAt: '2026-03-10T12:00:00.000Z',
      enteredLate: false,
      firstStartsAt: '2026-03-10T20:00:00.000Z',
      stakeMinor: 1250,
      currencyId: 1,
      eachWay: false,
    },
    legs: [
      {
        fixtureReference: 'f',
        fixtureName: 'Rovers v Town',
        sportReference: 'football',
        startsAt: '2026-03-10T20:00:00.000Z',
        marketName: 'Match result',
        selectionName: 'Rovers',
        bookmakerName: 'Bet One',
        price: { oddsThousandths: 2500, fraction: null },
        ownPrice: true,
        eachWay: null,
        finalScore: null,
        outcome: null,
        rule: null,
      },
    ],
    ...{ totalOddsThousandths: 2500, tip: null, settlement: null },
    ...more,
  });
  const show = (shown: BetView) =>
    render(<BetList bets={[shown]} timeZone="Europe/London" oddsDisplay="decimal" now="2026-03-10T13:00:00.000Z" />);

  const lost = {
    version: 2,
    outcome: 'lost',
    stakedMinor: 1250,
    returnMinor: 0,
    profitMinor: -1250,
    reason: 'The result was corrected.',
    settledAt: '2026-03-11T00:00:00.000Z',
  } as const;

  it('links nowhere from what became of a bet in a row of the list', () => {
    show(bet({ settlement: { ...lost, outcome: 'half-lost' } }));
    expect(screen.getByText('Half lost').closest('a')).toBeNull();
  });

  it('marks own prices and late entries, and offers to take out what is not settled, with a second press', async () => {
    show(bet({ enteredLate: true }));
    for (const text of ['Own price', 'Entered after the start', 'Open', '£12.50'])
      expect(screen.getByText(text)).toBeInTheDocument();
    await press('Remove bet: Rovers');
    // The second click of a double click, on what has come in the place of the first button.
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Remove Rovers' }), { detail: 2 }));
    expect(calls(/user\/bets/)).toEqual([]);
    await press('Keep bet');
    expect(screen.getByRole('button', { name: 'Remove bet: Rovers' })).toHaveFocus();
    await press('Remove bet: Rovers');
    expect(calls(/user\/bets/)).toEqual([]);
    await press('Remove Rovers');
    await waitFor(() => expect(refresh).toHaveBeenCalled());
  });

  it('shows what became of a settled bet by sign and word, and no way to take it out', () => {
    show(bet({ settlement: lost }));
    for (const text of ['Lost', '−£12.50']) expect(screen.getByText(text)).toBeInTheDocument();
    expect(screen.getByText(/The result was corrected/)).toBeInTheDocument();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('takes a bet on a tip at one’s own price and bookmaker, and keeps what was typed when it is refused', async () => {
    render(
      <TookThisForm
        tip={{ portfolioReference: 'ann', portfolioName: 'Ann', reference: 'abcdefghjk' }}
        legs={[slipLeg(1)]}
        eachWay={false}
        bookmakers={[{ id: 1, name: 'Bet One' }]}
        currencies={currencies.filter(({ id }) => id === 1)}
        oddsDisplay="decimal"
        timeZone="Europe/London"
      />,
    );
    await type('My price: Selection 1', 'two');
    await press('Record my bet');
    expect(screen.getByText(/"two" cannot be read/)).toBeInTheDocument();
    await type('My price: Selection 1', '2.75');
    await act(
      async () =>
        void fireEvent.change(screen.getByRole('combobox', { name: 'Bookmaker' }), { target: { value: '0' } }),
    );
    await type('Bookmaker’s name', 'The corner shop');
    await type('Stake', '12.50');
    await type('Placed at', '2026-03-10T12:00');
    await press('Record my bet');
    expect(calls(/user\/bets/)[0]?.[1].body).toMatchObject({
      legs: [{ selectionId: 1, bookmakerId: null, price: { oddsThousandths: 2750, fraction: null } }],
      ...{
        stakeMinor: 1250,
        currencyId: 1,
        bookmakerName: 'The corner shop',
        takenAt: new Date('2026-03-10T12:00').toISOString(),
        tip: { portfolioReference: 'ann', reference: 'abcdefghjk' },
      },
    });
    expect(await screen.findByText(/Your bet is in your record/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'show it' })).toHaveAttribute(
      'href',
      '/dashboard/bets?bet=abcdefghjk#abcdefghjk',
    );
    const names = () => calls(/user\/bets/).map(([, { idempotencyKey }]) => idempotencyKey);
    // Twice is a double click, or the same bet by mistake; whoever places it again changes something first.
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Record my bet' }), { detail: 2 }));
    expect(names()).toHaveLength(1);
    await press('Record my bet');
    expect(new Set(names()).size).toBe(1);
    await type('Stake', '13');
    await type('Stake', '12.50');
    await press('Record my bet');
    expect(names()).toHaveLength(3);
    expect(new Set(names()).size).toBe(2);
  });

  it.each([
    ['fraction', { oddsThousandths: 5800, fraction: null }, '24/5'],
    ['decimal', { oddsThousandths: 1910, fraction: '10/11' }, '1.91'],
    ['moneyline', { oddsThousandths: 1910, fraction: '10/11' }, '−110'],
  ] as const)(
    'keeps the tip’s own price where it is left as it stands, in %s odds',
    async (oddsDisplay, price, text) => {
      const leg = slipLeg(1, price);
      render(
        <TookThisForm
          tip={{ portfolioReference: 'ann', portfolioName: 'Ann Football', reference: 'abcdefghjk' }}
          legs={[leg]}
          eachWay={false}
          bookmakers={[{ id: 1, name: 'Bet One' }]}
          currencies={currencies}
          oddsDisplay={oddsDisplay}
          timeZone="Europe/London"
        />,
      );
      expect(screen.getByLabelText('My price: Selection 1')).toHaveValue(text);
      await press('Record my bet');
      expect(calls(/user\/bets/)[0]?.[1].body).toMatchObject({ legs: [{ price: priceOf(leg) }] });
    },
  );

  it('is filtered by a form that needs no script', () => {
    render(
      <BetFilterForm
        filter={betFilterSchema.parse({})}
        record={{ sports: ['football'], currencies: [1, 2], currencyId: 2 }}
      />,
    );
    expect(screen.getByRole('combobox', { name: 'Sport' })).toHaveTextContent('Every sportFootball');
    expect(screen.getByRole('combobox', { name: 'Staked in' })).toHaveValue('2');
  });
});

it('renders on the server', () => {
  expect(renderToStaticMarkup(<SlipLink />)).toContain('Bet slip');
  expect(renderToStaticMarkup(<BetSlipSection />)).toContain('slip');
});
