import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { BreakForm } from '@/components/account/break-form';
import { UserPauses } from '@/components/admin/user-pauses';
import { ApiError } from '@/components/state/api';
import { HelpLine } from '@/components/ui/help-line';
import { OwnHelp } from '@/components/formats/own-help';
import type { PauseView } from '@/lib/pauses/schema';
import { asSent } from '../support/sent-calls';

const api = jest.fn();
let own: unknown = null;

jest.mock('@/components/state/api', () => ({
  ...jest.requireActual<object>('@/components/state/api'),
  api: (...given: Parameters<typeof asSent>) => api(...asSent(...given)) as unknown,
}));
jest.mock('@/components/state/use-own', () => ({ useOwn: () => own }));

const none: PauseView = {
  since: null,
  until: null,
  lengths: [
    { length: 'day', until: '2026-03-11T12:00:00.000Z' },
    { length: 'week', until: '2026-03-17T12:00:00.000Z' },
  ],
  help: { name: 'A service', url: 'https://help.example/', telephone: '0800 1 2' },
};
const running: PauseView = {
  ...none,
  since: '2026-03-10T12:00:00.000Z',
  until: '2026-03-17T12:00:00.000Z',
  lengths: [{ length: 'month', until: '2026-04-09T12:00:00.000Z' }],
};
const press = async (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));

beforeEach(() => {
  jest.resetAllMocks();
  own = null;
  getDefaultStore();
});

describe('a break', () => {
  it('is begun by two presses, after it was said what it means, and then stands there with its end', async () => {
    api.mockResolvedValue(running);
    render(<BreakForm pause={none} timeZone="UTC" />);
    expect(screen.getByText(/no membership renews/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: '0800 1 2' })).toHaveAttribute('href', 'tel:080012');
    await press('Take a break');
    expect(api).not.toHaveBeenCalled();
    expect(screen.getByText(/This cannot be undone/).parentElement).toHaveFocus();
    fireEvent.change(screen.getByLabelText('From now on, for'), { target: { value: 'week' } });
    await press('Begin the break now');
    expect(api).toHaveBeenCalledWith('/user/pause', { method: 'POST', body: { length: 'week' } });
    expect(screen.getByText('You are taking a break until Tue 17 Mar 2026, 12:00.').parentElement).toHaveFocus();
    expect(screen.queryByRole('button', { name: /end|cancel/i })).toBeNull();
  });

  it('can be left before the second press, and is offered no shorter end while it runs', async () => {
    render(<BreakForm pause={running} timeZone="UTC" />);
    await press('Make it longer');
    expect(within(screen.getByLabelText('From now on, for')).getAllByRole('option')).toHaveLength(1);
    await press('Leave it as it is');
    expect(api).not.toHaveBeenCalled();
  });

  it('says why it was refused and keeps what was chosen', async () => {
    api.mockRejectedValue(
      new ApiError({
        status: 409,
        text: '',
        url: '/api/user/pause',
        answer: { message: 'Your break lasts until then already.' },
      }),
    );
    render(<BreakForm pause={none} timeZone="UTC" />);
    await press('Take a break');
    await press('Begin the break now');
    expect(screen.getByRole('alert')).toHaveTextContent('Your break lasts until then already.');
    expect(screen.getByRole('button', { name: 'Begin the break now' })).toBeEnabled();
  });

  it('that lasts as long as one can says when it can be made longer', () => {
    render(<BreakForm pause={{ ...running, lengths: [] }} timeZone="UTC" />);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

it('staff read from when, until when and by whom, and have nothing to press', () => {
  const pauses = [{ from: '2026-03-10T12:00:00.000Z', until: '2026-03-17T12:00:00.000Z' }];
  render(<UserPauses pauses={pauses} name="bob" now="2026-03-12T12:00:00.000Z" timeZone="UTC" />);
  expect(screen.getByRole('row', { name: /10 Mar 2026.*17 Mar 2026.*bob, the member.*Runs/ })).toBeInTheDocument();
  expect(screen.queryByRole('button')).toBeNull();
});

describe('who helps', () => {
  const page = (
    <>
      <p>
        <HelpLine help={{ name: 'General', url: 'https://general.example/', telephone: '1' }} />
      </p>
      <p>
        <HelpLine help={{ name: 'Fixed', url: 'https://fixed.example/', telephone: '2' }} isOwn />
      </p>
    </>
  );

  it('is laid over for the member’s own country, where the page is everybody’s, and taken back after', () => {
    own = { help: { name: 'Own', url: 'https://own.example/', telephone: '' } };
    const { rerender } = render(
      <>
        {page}
        <OwnHelp />
      </>,
    );
    expect(screen.getByRole('link', { name: 'Own' })).toHaveAttribute('href', 'https://own.example/');
    expect(screen.queryByRole('link', { name: '1' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Fixed' })).toBeInTheDocument();
    rerender(page);
    expect(screen.getByRole('link', { name: 'General' })).toHaveAttribute('href', 'https://general.example/');
    expect(screen.getByRole('link', { name: '1' })).toHaveAttribute('href', 'tel:1');
  });

  it('stays the general one until the own is known', () => {
    render(
      <>
        {page}
        <OwnHelp />
      </>,
    );
    expect(screen.getByRole('link', { name: 'General' })).toBeInTheDocument();
  });
});
