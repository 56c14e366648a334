/** @jest-environment node */
import { HtmlValidate } from 'html-validate';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { AccountCard } from '@/components/account/account-card';
import { BreakForm } from '@/components/account/break-form';
import { DashboardHead } from '@/components/account/dashboard-head';
import { DashboardInStep } from '@/components/account/dashboard-in-step';
import { DeleteAccount } from '@/components/account/delete-account';
import { ExportButton } from '@/components/account/export-button';
import { FollowButton } from '@/components/portfolios/follow-button';
import { FollowControl } from '@/components/account/follow-control';
import { ForgottenPasswordForm } from '@/components/account/forgotten-password-form';
import { GoOnAsMember } from '@/components/account/go-on-as-member';
import { LoginForm } from '@/components/account/login-form';
import { LoginModal } from '@/components/account/login-modal';
import { MaxStakeForm } from '@/components/account/max-stake-form';
import { MemberOptions } from '@/components/account/member-options';
import { NewPasswordForm } from '@/components/account/new-password-form';
import { NotificationChoices } from '@/components/account/notification-choices';
import { NotificationSettings } from '@/components/account/notification-settings';
import { NotificationTable } from '@/components/account/notification-table';
import { NotificationsRead } from '@/components/account/notifications-read';
import { RegisterForm } from '@/components/account/register-form';
import { ServiceTable } from '@/components/account/service-table';
import { SessionList } from '@/components/account/session-list';
import { SettingsForm } from '@/components/account/settings-form';
import { SignOutButton } from '@/components/account/sign-out-button';
import { UnsubscribeChoices, UnsubscribeForm } from '@/components/account/unsubscribe-form';
import { UserOptions } from '@/components/account/user-options';
import { VerifyForm } from '@/components/account/verify-form';
import { Watchlist } from '@/components/account/watchlist';
import { Field } from '@/components/ui/field';
import { FieldCheck } from '@/components/ui/field-check';
import { FormMessage } from '@/components/ui/form-message';
import { PasswordField } from '@/components/ui/password-field';
import { Select } from '@/components/ui/select';
import { AutobetForm } from '@/components/bet-slip/autobet-form';
import { RemoveBet } from '@/components/bet-slip/remove-bet';
import { MarkdownField } from '@/components/content/markdown-field';
import { CsvDownload } from '@/components/account/csv-download';
import { TelegramLink } from '@/components/account/telegram-link';
import { FaceField } from '@/components/portfolios/face-field';
import { WebhookForm } from '@/components/portfolios/webhook-form';
import type { WebhookView } from '@/lib/webhooks/schema';
import type { NewsSettings } from '@/lib/notifications/schema';
import { currencies, timeZones } from '@/lib/reference/schema';
import { managedPortfolio } from '../support/member-answers';

jest.mock('next/navigation', () => ({
  usePathname: () => '/dashboard',
  useRouter: () => ({ prefetch: () => undefined }),
}));

const kept = {
  message: 'It could not be taken.',
  fields: { username: 'is taken' },
  values: { username: 'bob', email: 'bob@example.com' },
};
const choices = [{ value: 'GB', title: 'United Kingdom' }];
const tip = {
  id: 1,
  kind: 'tip',
  at: '2026-11-21T10:00:00.000Z',
  read: false,
  title: 'Ann: A tip for members',
  body: 'Members of Ann can read it now.',
  path: '/tipster/ann/tips/abcdefghij',
  portfolio: { reference: 'ann', name: 'Ann', demo: true },
  outcome: null,
  profitHundredths: null,
} as const;
const settlement = { ...tip, id: 2, kind: 'correction', read: true, outcome: 'won', profitHundredths: 150 } as const;
const written = {
  ...tip,
  id: 3,
  kind: 'staff',
  title: 'About your pictures',
  body: 'Add a picture.\n\nIt is shown at your name.',
  path: '/dashboard/notifications',
  portfolio: null,
} as const;
const portfolio = managedPortfolio({
  reference: 'ann',
  name: 'Ann',
  type: 2,
  followers: 3,
  followersThisWeek: 1,
  sells: true,
  demo: true,
});
const news: NewsSettings = {
  silenced: false,
  siteNews: false,
  choices: [{ topic: 'tip', channel: 'email', wanted: true, locked: false, own: false }],
  hours: { quietFrom: 1380, quietUntil: 420, digestHour: null },
  timeZone: 'Europe/London',
  mail: { address: 'bob@example.com', stopped: true, stoppedByStaff: false },
  ways: ['app', 'email'],
  portfolios: [{ reference: 'ann', name: 'Ann', silenced: true, choices: [] }],
};

const webhook: WebhookView = {
  address: 'https://example.com/hook',
  pausedAt: null,
  failures: 0,
  deliveries: [],
} as unknown as WebhookView;

const rendered: Record<string, ReactElement> = {
  AccountCard: (
    <AccountCard title="Log in" intro={<p>Text</p>} aside="Aside">
      Form
    </AccountCard>
  ),
  BreakForm: (
    <div>
      <BreakForm
        pause={{
          since: '2026-03-10T12:00:00.000Z',
          until: '2026-03-17T12:00:00.000Z',
          lengths: [{ length: 'month', until: '2026-04-09T12:00:00.000Z' }],
          help: { name: 'A service', url: 'https://help.example/', telephone: '0800 1' },
        }}
        timeZone="Europe/London"
      />
    </div>
  ),
  DashboardHead: <DashboardHead title="Watchlist" activeHref="/dashboard/watchlist" />,
  DeleteAccount: <DeleteAccount unpaid={[]} />,
  ExportButton: <ExportButton />,
  FollowButton: <FollowButton portfolioReference="ann" name="Ann" />,
  FollowControl: <FollowControl portfolioReference="ann" name="Ann" />,
  ForgottenPasswordForm: <ForgottenPasswordForm kept={kept} />,
  'GoOnAsMember and DashboardInStep': (
    <div>
      <GoOnAsMember redirectTo="/dashboard" />
      <DashboardInStep />
    </div>
  ),
  LoginForm: <LoginForm redirectTo="/tipster" kept={kept} />,
  LoginModal: <LoginModal />,
  MaxStakeForm: <MaxStakeForm label="Max stake" unit="£" maxStake={10} onSet={async () => undefined} />,
  MemberOptions: <MemberOptions />,
  NewPasswordForm: <NewPasswordForm email="bob@example.com" />,
  NotificationSettings: <NotificationSettings settings={news} />,
  NotificationChoices: (
    <NotificationChoices caption="All" name="all" choices={news.choices} ways={news.ways} onChange={() => undefined} />
  ),
  'NotificationTable and NotificationsRead': (
    <div>
      <NotificationTable notifications={[tip, settlement, written]} timeZone="Europe/London" />
      <NotificationsRead unreadIds={[1]} />
    </div>
  ),
  RegisterForm: (
    <RegisterForm
      countries={choices}
      zones={timeZones.slice(0, 1)}
      zoneChoices={[{ value: 1, title: 'A zone' }]}
      place={{ location: 'GB', timezoneId: '1' }}
      kept={kept}
    />
  ),
  ServiceTable: <ServiceTable portfolios={[portfolio]} />,
  SessionList: (
    <SessionList
      timeZone="Europe/London"
      sessions={[
        {
          id: 'a',
          device: 'curl',
          address: '192.0.2.7',
          createdAt: '2026-11-01T10:00:00.000Z',
          usedAt: '2026-11-21T10:00:00.000Z',
          current: true,
        },
      ]}
    />
  ),
  SettingsForm: (
    <SettingsForm
      settings={{
        maxStake: 10,
        betCurrencyId: 2,
        buyCurrencyId: 1,
        countryId: 1,
        timezoneId: 1,
        oddsDisplayType: 'decimal',
      }}
      countries={[{ value: 1, title: 'Andorra' }]}
      zones={[{ value: 1, title: '(UTC+00:00) A zone', name: 'A zone' }]}
    />
  ),
  SignOutButton: <SignOutButton />,
  UnsubscribeForm: (
    <div>
      <UnsubscribeForm guid="g" action="stop">
        Stop
      </UnsubscribeForm>
      <UnsubscribeChoices
        guid="g"
        link={{
          portfolio: null,
          tip: true,
          post: true,
          settlement: false,
          fixture: false,
          staff: true,
          daily: false,
          silenced: false,
        }}
      />
      <UnsubscribeChoices
        guid="g"
        link={{
          portfolio: null,
          tip: false,
          post: false,
          settlement: false,
          fixture: false,
          staff: false,
          daily: true,
          silenced: false,
        }}
      />
    </div>
  ),
  UserOptions: (
    <div>
      <UserOptions />
    </div>
  ),
  VerifyForm: (
    <div>
      <VerifyForm email={null} redirectTo="/dashboard" kept={kept} />
    </div>
  ),
  Watchlist: (
    <Watchlist
      entries={[{ portfolioReference: 'ann', maxStake: 10, name: 'Ann', demo: true, abandoned: true }]}
      currency={{ id: 1, code: 'GBP', symbol: '£', name: 'Pound sterling', minorDigits: 2 }}
      nobody={null}
    />
  ),
  Field: <Field name="a" label="A" hint="B" error="C" />,
  FieldCheck: <FieldCheck name="a" label="A" error="C" />,
  FormMessage: <FormMessage kind="error">No</FormMessage>,
  PasswordField: <PasswordField name="a" label="A" hint="B" error="C" />,
  Select: <Select name="a" label="A" choices={choices} hint="B" error="C" />,
};

// What does nothing, or loses what was typed, before the script is there, waits for it.
const waiting: Record<string, ReactElement> = {
  MaxStakeForm: rendered.MaxStakeForm ?? <p />,
  WebhookForm: <WebhookForm portfolio="ann" webhook={webhook} timeZone="Europe/London" />,
  AutobetForm: (
    <AutobetForm
      tipster={{ reference: 'ann', name: 'Ann' }}
      rule={null}
      currencies={currencies.slice(0, 1)}
      betCurrencyId={1}
      sports={[]}
      oddsDisplay="decimal"
    />
  ),
  SessionList: rendered.SessionList ?? <p />,
  Watchlist: (
    <Watchlist
      entries={[{ portfolioReference: 'ann', maxStake: 10, name: 'Ann', demo: true, abandoned: false }]}
      currency={{ id: 1, code: 'GBP', symbol: '£', name: 'Pound sterling', minorDigits: 2 }}
      nobody={null}
    />
  ),
  DeleteAccount: <DeleteAccount unpaid={[]} />,
  RemoveBet: <RemoveBet reference="abcdefghjk" title="Rovers" />,
  ExportButton: <ExportButton />,
  CsvDownload: (
    <CsvDownload
      call="GET /user/portfolio/{reference}/earnings/export"
      place={{ params: { reference: 'ann' } }}
      file="a.csv"
    />
  ),
  TelegramLink: <TelegramLink settings={{ offered: true, linked: null }} timeZone="Europe/London" />,
  FaceField: <FaceField portfolio={portfolio} onSaved={() => undefined} />,
  MarkdownField: <MarkdownField name="body" label="Text" maxLength={100} takesPictures />,
};

it.each(Object.entries(waiting))('%s has no button that can be pressed before it is alive', (_, element) => {
  const buttons = renderToStaticMarkup(element).match(/<button[^>]*>/g) ?? [];
  expect(buttons.length).toBeGreaterThan(0);
  expect(buttons.filter((button) => !/\sdisabled=/.test(button))).toEqual([]);
});

it('prints what the news say, line by line, and leads from what staff write without a page to none', () => {
  const markup = renderToStaticMarkup(<NotificationTable notifications={[tip, written]} timeZone="Europe/London" />);
  for (const line of [tip.body, 'Add a picture.', 'It is shown at your name.'])
    expect(markup).toContain(`<p>${line}</p>`);
  expect(markup.match(/href="[^"]*"/g)).toEqual([`href="${tip.path}"`, 'href="/tipster/ann"']);
});

const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: { 'void-style': 'off', 'attribute-boolean-style': 'off', 'long-title': 'off' },
});

describe.each(Object.entries(rendered))('%s', (_, element) => {
  const markup = renderToStaticMarkup(element);

  it('renders on the server as valid markup', async () => {
    const report = await validator.validateString(markup);
    expect(
      report.results.flatMap((result) => result.messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)),
    ).toEqual([]);
  });

  it('carries no inline style and no inline handler, which the content policy forbids', () => {
    expect(markup).not.toMatch(/\s(style|on[a-z]+)=/);
  });
});
