import { render, screen } from '@testing-library/react';
import { UnsubscribeChoices } from '@/components/account/unsubscribe-form';
import type { MailLink } from '@/lib/notifications/schema';

const nothing: MailLink = {
  portfolio: null,
  tip: false,
  post: false,
  settlement: false,
  fixture: false,
  staff: false,
  daily: false,
  silenced: false,
};

const show = (more: Partial<MailLink>) => render(<UnsubscribeChoices guid="g" link={{ ...nothing, ...more }} />);
const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent);
const done = () => screen.queryByText('You will no longer get these e-mails.');

describe('the page of a mail’s link', () => {
  it('stops what staff write and what is told of fixtures, and does not call that done which still comes', () => {
    show({ fixture: true, staff: true });
    expect(done()).toBeNull();
    expect(
      screen.getByText('You get e-mails about fixtures you watch and messages from Tipledger staff at once.'),
    ).toBeInTheDocument();
    expect(buttons()).toEqual([
      'One e-mail a day instead',
      'Stop e-mails about fixtures you watch',
      'Stop e-mails about messages from Tipledger staff',
      'Stop all of them',
    ]);
    const [, , staff] = screen.getAllByRole('button');
    expect(staff?.closest('form')?.getAttribute('action')).toContain('action=stop-staff');
  });

  it('says what comes in one e-mail a day and what at once, and offers no daily e-mail for what is never in it', () => {
    show({ tip: true, staff: true, daily: true });
    expect(
      screen.getByText(
        'You get e-mails about tips in one daily e-mail, and about messages from Tipledger staff at once.',
      ),
    ).toBeInTheDocument();
  });

  it('sends them again, but for one tipster not while everything is muted: it says where that is taken back', () => {
    const portfolio = { reference: 'ann', name: 'Ann Football' };
    const shown = [{ portfolio }, { silenced: true }, { portfolio, silenced: true }].map((more) => {
      const { unmount } = show(more);
      const seen = [
        screen.queryByRole('button', { name: 'Send them again' }) !== null,
        screen.queryByRole('link', { name: 'your notifications' })?.getAttribute('href'),
      ];
      unmount();
      return seen;
    });
    expect(shown).toEqual([
      [true, undefined],
      [true, undefined],
      [false, '/dashboard/notifications'],
    ]);
  });

  it.each<Partial<MailLink>>([{}, { tip: true }, { staff: true }])('says what always comes beside %j', (more) => {
    show(more);
    expect(
      screen.getByText('E-mails about your memberships and payouts always come, as they are about your money.'),
    ).toBeInTheDocument();
    expect(done() === null).toBe(Object.keys(more).length > 0);
    expect(screen.queryByText('One e-mail a day instead') !== null).toBe('tip' in more);
  });
});
