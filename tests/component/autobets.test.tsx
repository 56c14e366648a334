import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { AutobetForm } from '@/components/bet-slip/autobet-form';
import { AutobetTable } from '@/components/bet-slip/autobet-table';
import { AutobetTotalsView } from '@/components/bet-slip/autobet-totals';
import type { AutobetRuleView, AutobetView } from '@/lib/bets/schema';
import { currencies, CurrencyId, type OddsDisplay } from '@/lib/reference/schema';
import { asSent } from '../support/sent-calls';

const api = jest.fn();
const push = jest.fn();
const refresh = jest.fn();
jest.mock('@/components/state/api', () => ({
  ...jest.requireActual<object>('@/components/state/api'),
  api: (...given: Parameters<typeof asSent>) => api(...asSent(...given)) as unknown,
}));
jest.mock('@/components/state/modals', () => ({ showFeedback: () => undefined }));
jest.mock('next/navigation', () => ({ useRouter: () => ({ push, refresh }) }));

beforeEach(() => jest.clearAllMocks());

const tipster = { reference: 'ann', name: 'Ann Football' };
const sports = [
  { reference: 'football', name: 'Football' },
  { reference: 'golf', name: 'Golf' },
];
const rule: AutobetRuleView = {
  portfolioReference: 'ann',
  portfolioName: 'Ann Football',
  demo: false,
  enabled: true,
  unitMinor: 500,
  mostMinor: 2_500,
  currencyId: CurrencyId.GBP,
  leastOddsThousandths: 1_800,
  sports: ['golf'],
  since: '2026-03-09T12:00:00.000Z',
  recorded: 2,
  missed: 1,
};

const show = (given: AutobetRuleView | null, oddsDisplay: OddsDisplay = 'decimal') =>
  render(
    <AutobetForm
      tipster={tipster}
      rule={given}
      currencies={currencies}
      betCurrencyId={CurrencyId.GBP}
      sports={sports}
      oddsDisplay={oddsDisplay}
    />,
  );

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const save = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test('a new rule is sent in minor units, at any price and for every sport unless something is said', async () => {
  api.mockResolvedValue(rule);
  show(null);
  type('My stake for 1 unit', '2.50');
  type('Max stake', '20');
  save('Start autobet');
  await screen.findByRole('button', { name: 'Start autobet' });
  expect(api.mock.calls[0]).toMatchObject([
    expect.stringContaining('/user/autobets/ann'),
    {
      body: {
        enabled: true,
        unitMinor: 250,
        mostMinor: 2_000,
        currencyId: CurrencyId.GBP,
        leastOddsThousandths: 1_001,
        sports: [],
      },
    },
  ]);
});

test('a rule that is saved once more is another attempt, and one whose answer was lost is the same', async () => {
  const keys = () => api.mock.calls.map(([, given]: [string, { idempotencyKey: string }]) => given.idempotencyKey);
  const saveOnce = async () => {
    save('Save rule');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save rule' })).toBeEnabled());
  };
  api.mockRejectedValueOnce(new Error('The site cannot be reached.')).mockResolvedValue(rule);
  show(rule);
  await saveOnce();
  await saveOnce();
  await saveOnce();
  expect(keys()).toHaveLength(3);
  expect(keys()[1]).toBe(keys()[0]);
  expect(keys()[2]).not.toBe(keys()[0]);
});

test.each([
  ['My stake for 1 unit', 'lots', /Enter an amount/],
  ['Max stake', '1.234', /Enter an amount, with 2 decimal places/],
  ['Min. odds', '0.5', /out of range|cannot be read/],
])('a wrong %s is said at its field, and nothing is sent', async (label, value, message) => {
  show(rule);
  type(label, value);
  save('Save rule');
  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.getByLabelText(label)).toBeInvalid();
  expect(api).not.toHaveBeenCalled();
});

test('a rule that stands is shown as it is, and can be removed', async () => {
  api.mockResolvedValue({});
  show(rule);
  expect(screen.getByLabelText('My stake for 1 unit')).toHaveValue('5.00');
  expect(screen.getByLabelText('Min. odds')).toHaveValue('1.80');
  expect(screen.getByLabelText('Golf')).toBeChecked();
  expect(screen.getByLabelText('Football')).not.toBeChecked();
  save('Remove rule');
  await screen.findByRole('button', { name: 'Remove rule' });
  expect(api.mock.calls[0]?.[0]).toContain('/user/autobets/ann');
  expect(refresh).toHaveBeenCalled();
});

test.each([
  [5_800, '24/5'],
  [2_520, '38/25'],
])('the least price of %i is shown and sent as it is in fractional odds', async (leastOddsThousandths, text) => {
  api.mockResolvedValue(rule);
  show({ ...rule, leastOddsThousandths }, 'fraction');
  expect(screen.getByLabelText('Min. odds')).toHaveValue(text);
  save('Save rule');
  await screen.findByRole('button', { name: 'Save rule' });
  expect(api.mock.calls[0]?.[1]).toMatchObject({ body: { leastOddsThousandths } });
});

test('each tip says what became of it', () => {
  const one: AutobetView = {
    at: '2026-03-09T12:00:00.000Z',
    portfolioReference: 'ann',
    portfolioName: 'Ann Football',
    tipReference: 'aaaaaaaaaa',
    stakeMinor: 500,
    currencyId: CurrencyId.GBP,
    oddsThousandths: 2_100,
    missed: null,
    betReference: 'bbbbbbbbbb',
  };
  const latest: AutobetView[] = [
    one,
    { ...one, tipReference: 'cccccccccc', missed: 'short price', betReference: null },
    { ...one, tipReference: 'dddddddddd', betReference: null },
    { ...one, tipReference: 'eeeeeeeeee', missed: 'no price', betReference: null, oddsThousandths: null },
  ];
  render(<AutobetTable latest={latest} timeZone="Europe/London" oddsDisplay="decimal" />);
  const rows = screen.getAllByRole('row').slice(1);
  expect(within(rows[0] as HTMLElement).getByRole('link', { name: 'Recorded' })).toHaveAttribute(
    'href',
    '/dashboard/bets?bet=bbbbbbbbbb#bbbbbbbbbb',
  );
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringContaining('2.10£5.00'),
    expect.stringContaining('Below your min. odds'),
    expect.stringContaining('Removed from your bets'),
    expect.stringContaining('–£5.00No price in your country'),
  ]);
});

test('an owner sees totals, with the reasons for what was missed', () => {
  render(
    <AutobetTotalsView
      totals={{
        rules: 3,
        week: { recorded: 2, missed: [] },
        all: { recorded: 9, missed: [{ reason: 'started', count: 4 }] },
      }}
    />,
  );
  expect(screen.getByText('2 in the last 7 days')).toBeVisible();
  expect(screen.getByRole('row', { name: 'Already started 0 4' })).toBeVisible();
});
