import { createECDH, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import sharp from 'sharp';
import {
  askForCode,
  deleteAccount,
  followPortfolio,
  registerAccount,
  sendAskedCodes,
  verifyCode,
} from '@/lib/accounts/commands';
import { becomeAffiliate } from '@/lib/affiliates/commands';
import { setAutobetRule } from '@/lib/bets/commands';
import type { BetInput } from '@/lib/bets/schema';
import { watchFixture } from '@/lib/fixtures/commands';
import { readOrder, removeCards } from '@/lib/memberships/commands';
import { chooseOutcome } from '@/lib/money/commands';
import { changeNews } from '@/lib/notifications/commands';
import { beginPause } from '@/lib/pauses/commands';
import { addPushDevice } from '@/lib/push/commands';
import { exportUser } from '@/lib/accounts/queries';
import { registrationSchema } from '@/lib/accounts/schema';
import { guest, member } from '@/lib/http/viewer';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { isFailure } from '@/lib/platform/errors';
import { decidedAt } from '@/lib/platform/moment';
import { sendDueMails } from '@/lib/platform/mail';
import { createPortfolio } from '@/lib/portfolios/commands';
import { getPortfolio } from '@/lib/portfolios/queries';
import { CurrencyId, Role } from '@/lib/reference/schema';
import { getTip } from '@/lib/tips/queries';
import { uploadPicture } from '@/lib/uploads/commands';
import { getPicture } from '@/lib/uploads/queries';
import { callerFrom, codeMailedTo, logIn, newAddress, openAccount, viewerOf } from '../support/accounts';
import { onTestDatabase } from '../support/database';
import { inEnvironment } from '../support/environment';
import { join, offer, openShop } from '../support/members';
import { editPost, placeBet, publishPost, publishTip } from '../support/moments';
import { openMonthly, orderMonth, pageOf } from '../support/sales';
import { openSmtpSink } from '../support/smtp-sink';
import { begunMeanwhile } from '../support/waiting';
import { worldNow } from '../support/world';

onTestDatabase();

const after = (seconds: number) => new Date(worldNow.getTime() + seconds * 1000);

const secrets = [
  'pat@example.org',
  'secret-pat',
  'Pat private tips',
  'Written by Pat',
  'A post of Pat',
  'What Pat said at first',
  'Pat browser',
];
const card = 'Sandbox card ending in 4242';

type Pat = {
  viewer: Viewer & { kind: 'member' };
  cookie: string;
  refreshToken: string;
  reference: string;
  tip: string;
  picture: string;
  accountId: number;
};

async function makePat(): Promise<Pat> {
  const input = registrationSchema.parse({
    email: 'pat@example.org',
    username: 'secret-pat',
    password: 'seven green kettles',
    location: 'FR',
    timezoneId: 1,
    news: true,
    terms: true,
  });
  const login = await registerAccount(
    input,
    { ...callerFrom(newAddress()), device: 'Pat browser', unproven: true },
    worldNow,
  );
  await sendAskedCodes(worldNow);
  await verifyCode({ emailAddress: 'pat@example.org', code: await codeMailedTo('pat@example.org') }, worldNow);
  const newcomer = (await viewerOf(login, worldNow)) as Pat['viewer'];
  const { reference } = await createPortfolio(
    newcomer,
    { name: 'Pat private tips', description: 'Written by Pat' },
    worldNow,
  );
  const viewer = (await viewerOf(login, worldNow)) as Pat['viewer'];
  const legs = [await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365')];
  const tip = await publishTip(viewer, reference, { idempotencyKey: 'a', legs, stakeHundredths: 100 }, worldNow);
  const post = await publishPost(
    viewer,
    reference,
    { idempotencyKey: 'a', title: 'What Pat said at first', body: 'Text.', tips: [tip.reference] },
    worldNow,
  );
  await editPost(
    viewer,
    {
      portfolioReference: reference,
      reference: post.reference,
      input: { title: 'A post of Pat', body: 'Another text.', premiumOnly: false, tips: [], version: 1 },
      key: 'b',
    },
    after(60),
  );
  const drawn = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#233f8f' } })
    .png()
    .toBuffer();
  const { path: picture } = await uploadPicture(viewer, drawn, worldNow);
  await followPortfolio(viewer, 'ann-football', undefined, worldNow);
  await decidedAt(worldNow, async () => {
    const shop = await openMonthly({ owner: 'cat', portfolio: 'Cat Racing' }, 2000, worldNow);
    const order = await orderMonth(viewer, shop.reference, 2000, 'a');
    await chooseOutcome(pageOf(order), 'success');
    await readOrder(viewer, order.reference);
  });
  return {
    viewer,
    cookie: login.cookie,
    refreshToken: login.refreshToken,
    reference,
    tip: tip.reference,
    picture,
    accountId: viewer.accountId,
  };
}

// The whole database as text, save what the record keeps for ever.
async function everything(): Promise<string> {
  const tables = await sql<{
    name: string;
  }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
    database(),
  );
  const texts = await Promise.all(
    tables.rows.map(
      async ({ name }) =>
        (
          await sql<{
            text: string | null;
          }>`select string_agg(stored::text, ' ') as text from ${sql.table(name)} stored`.execute(database())
        ).rows[0]?.text ?? '',
    ),
  );
  return texts.join(' ');
}

async function listTokens(accountId: number): Promise<string[]> {
  const { rows } = await sql<{
    token: string;
  }>`select provider_method as token from payment_method where account_id = ${accountId}`.execute(database());
  return rows.map(({ token }) => token);
}

const fileOf = (address: string) => address.split('/').at(-1) ?? '';

let pat: Pat;
beforeAll(async () => {
  await openShop('ann', { name: 'Ann Football' }, worldNow);
  pat = await makePat();
});

test('the export holds everything that was given and done, and nothing that only checks a secret', async () => {
  const exported = await exportUser(pat.viewer, worldNow);
  expect(exported).toMatchObject({
    exportedAt: worldNow.toISOString(),
    account: {
      username: 'secret-pat',
      email: 'pat@example.org',
      news: true,
      location: 'FR',
      max_stake_hundredths: 1000,
    },
    sessions: [{ device: 'Pat browser' }],
    following: [{ portfolio: 'ann-football', max_stake_hundredths: 1000 }],
    portfolios: [{ reference: pat.reference, description: 'Written by Pat' }],
    tips: [{ reference: pat.tip, legs: [{ position: 1 }] }],
    posts: [
      {
        title: 'A post of Pat',
        body: 'Another text.',
        version: 2,
        tips: [],
        edited_at: expect.stringContaining('2026-'),
        earlier_versions: [
          {
            version: 1,
            title: 'What Pat said at first',
            body: 'Text.',
            premium_only: false,
            tips: [pat.tip],
            written_at: expect.stringContaining('2026-'),
          },
        ],
      },
    ],
    paymentMethods: [{ provider: 'sandbox', label: card, expires: null }],
    pictures: [
      {
        address: `http://localhost:3000${pat.picture}`,
        type: 'image/webp',
        bytes: (await getPicture(fileOf(pat.picture))).length,
        width: 60,
        height: 40,
      },
    ],
    mails: [{ subject: expect.stringMatching(/^\d{6} is your Tipledger code$/) }, { subject: 'Welcome to Tipledger' }],
  });
  // What is sent of a follow is told by the choices of news.
  expect(Object.keys(exported.following[0] ?? {}).toSorted()).toEqual([
    'created_at',
    'max_stake_hundredths',
    'portfolio',
  ]);
  const text = JSON.stringify(exported);
  for (const secret of ['argon2', '_hash', pat.cookie, pat.refreshToken]) expect(text).not.toContain(secret);
});

test('the export of one member holds nothing of another, and a guest has none', async () => {
  const id = await openAccount('other', {}, worldNow);
  const other = await viewerOf(await logIn(id, worldNow), worldNow);
  const text = JSON.stringify(await exportUser(other, worldNow));
  for (const secret of secrets) expect(text).not.toContain(secret);
  await expect(exportUser(guest(), worldNow)).rejects.toThrow('Sign in');
});

const inExport = [
  ...['session', 'follow', 'membership', 'portfolio', 'picture_upload', 'bet', 'post', 'post_version'],
  ...[
    'customer_order',
    'payment_method',
    'receipt',
    'payout',
    'money_account',
    'monthly_payout',
    'autobet',
    'autobet_rule',
  ],
  ...['betting_pause', 'staff_action', 'suspension'],
  'delivery',
  'fixture_watch',
  'mail_link',
  'news_choice',
  'news_hours',
  ...['push_subscription', 'telegram_link'],
  ...['affiliate_visit', 'pro_team', 'referral'],
];
// What somebody did as staff is the site's.
const byStaff = ['content_outcome', 'content_version', 'feed_unmatched'];
// A code and a named write repeat what is told already, for minutes and for days; a second factor only serves to check a code.
const notInExport = ['account_code', 'named_write', 'staff_factor', 'telegram_code', ...byStaff];

test('every table that names an account is in the export, or left out for a reason', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct conrelid::regclass::text as name from pg_constraint where contype = 'f' and confrelid = 'account'::regclass order by name
  `.execute(database());
  expect(rows.map(({ name }) => name)).toEqual([...inExport, ...notInExport].toSorted());
});

test('a deleted account leaves no personal word in the database, while its tips stay under “former tipster”', async () => {
  const before = await everything();
  const [token = ''] = await listTokens(pat.accountId);
  for (const secret of [...secrets, card, token]) expect(before).toContain(secret);
  expect((await getPortfolio(guest(), 'ann-football')).followers).toBe(1);
  await deleteAccount(pat.viewer, worldNow);
  const sink = await openSmtpSink();
  await inEnvironment({ SMTP_URL: sink.url }, async () => void expect(await sendDueMails(worldNow)).toBe(1));
  await sink.close();
  expect(sink.mails).toMatchObject([
    { to: ['pat@example.org'], message: expect.stringContaining('Subject: Your Tipledger account is deleted') },
  ]);
  const after = await everything();
  for (const secret of secrets) expect([secret, after.includes(secret)]).toEqual([secret, false]);
  expect(after).not.toContain(card);
  expect(await removeCards(worldNow)).toBe(1);
  expect((await everything()).includes(token)).toBe(false);
  expect(await getPortfolio(guest(), pat.reference)).toMatchObject({
    owner: `former-tipster-${pat.accountId}`,
    name: 'Former tipster',
    description: '',
    abandoned: true,
  });
  expect(await getTip(guest(), pat.reference, pat.tip, worldNow)).toMatchObject({ reference: pat.tip });
  expect((await getPortfolio(guest(), 'ann-football')).followers).toBe(0);
  await expect(getPicture(fileOf(pat.picture))).rejects.toThrow('no such picture');
  expect((await viewerOf({ cookie: pat.cookie }, worldNow)).kind).toBe('guest');
});

test('the name and the address of a deleted account can be taken again', async () => {
  const again = registrationSchema.parse({
    email: 'pat@example.org',
    username: 'secret-pat',
    password: 'seven green kettles',
    location: 'FR',
    timezoneId: 1,
    terms: true,
  });
  const login = await registerAccount(again, { ...callerFrom(newAddress()), unproven: true }, worldNow);
  expect(await viewerOf(login, worldNow)).toMatchObject({ kind: 'member', owns: [] });
});

test('the last super admin cannot go, the last but one can', async () => {
  const [one, two] = [
    await openAccount('root-one', { role: Role.superAdmin }, worldNow),
    await openAccount('root-two', { role: Role.superAdmin }, worldNow),
  ];
  const viewer = (accountId: number) =>
    member({ accountId, role: Role.superAdmin, pro: false, owns: [], subscribes: [] });
  await deleteAccount(viewer(one), worldNow);
  const refused = await deleteAccount(viewer(two), worldNow).catch((error: unknown) => error);
  expect(isFailure(refused, 'conflict')).toBe(true);
});

test('a guest has no account to delete', async () => {
  await expect(deleteAccount(guest(), worldNow)).rejects.toThrow('Sign in');
});

test('an account that only claims an address takes nothing of the owner’s with it, and is shown none of it', async () => {
  await openAccount('owner', {}, worldNow);
  await askForCode('owner@example.org', 'password', worldNow);
  await sendAskedCodes(worldNow);
  const input = registrationSchema.parse({
    email: 'Owner@example.org',
    username: 'claimant',
    password: 'seven green kettles',
    timezoneId: 1,
    terms: true,
  });
  const claimant = await viewerOf(
    await registerAccount(input, { ...callerFrom(newAddress()), unproven: true }, worldNow),
    worldNow,
  );
  await sendAskedCodes(worldNow);
  const mailsToOwner = async () =>
    (
      await sql<{
        subject: string;
      }>`select subject from mail_outbox where lower(recipient) = 'owner@example.org' order by id`.execute(database())
    ).rows.map(({ subject }) => subject);
  const before = await mailsToOwner();
  expect(before).toEqual([
    expect.stringContaining('is your code for a new password'),
    'You already have a Tipledger account',
  ]);
  expect((await exportUser(claimant, worldNow)).mails).toEqual([]);
  await deleteAccount(claimant, worldNow);
  expect(await mailsToOwner()).toEqual(before);
});

test('what waits behind the deletion is not done for the account', async () => {
  const zoe = await join('waiting-zoe', worldNow);
  const leg = await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365');
  const picture = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#264' } })
    .png()
    .toBuffer();
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const subscription = {
    endpoint: 'https://push.example.org/waiting-zoe',
    keys: { p256dh: browser.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') },
  };
  const rule = { enabled: true, unitMinor: 100, mostMinor: 500, currencyId: CurrencyId.EUR };
  const { oddsThousandths, ...taken } = leg;
  const bet: BetInput = {
    legs: [{ ...taken, price: { oddsThousandths, fraction: null } }],
    stakeMinor: 100,
    currencyId: CurrencyId.UNITS,
    eachWay: false,
  };
  const writes: Record<string, () => Promise<unknown>> = {
    portfolio: () => createPortfolio(zoe, { name: 'Opened too late' }, worldNow),
    bet: () => placeBet(zoe, bet, 'late', worldNow),
    picture: () => uploadPicture(zoe, picture, worldNow),
    device: () => addPushDevice(zoe, subscription, 'Firefox', worldNow),
    follow: () => followPortfolio(zoe, 'ann-football', undefined, worldNow),
    'follow by key': () => followPortfolio(zoe, 'ann-football', undefined, worldNow, 'late'),
    autobets: () => setAutobetRule(zoe, 'ann-football', rule, worldNow),
    news: () => changeNews(zoe, { silenced: true }),
    watch: () => watchFixture(zoe, 'athletic-v-wanderers-2026-03-10', worldNow),
    affiliate: () => becomeAffiliate(zoe),
    break: () => beginPause(zoe, { length: 'day' }, worldNow),
  };
  const outcomes = await begunMeanwhile('mail_outbox', () => deleteAccount(zoe, worldNow), Object.values(writes));
  const names = Object.keys(writes);
  expect(
    outcomes.map((outcome, index) => [
      names[index],
      outcome.status === 'rejected' && isFailure(outcome.reason) ? outcome.reason.kind : outcome,
    ]),
  ).toEqual(names.map((name) => [name, 'unauthorised']));
  const tables = [
    'bet',
    'picture_upload',
    'push_subscription',
    'follow',
    'autobet_rule',
    'news_choice',
    'fixture_watch',
    'betting_pause',
  ];
  for (const table of tables)
    expect(
      (await sql`select from ${sql.table(table)} where account_id = ${zoe.accountId}`.execute(database())).rows,
    ).toEqual([]);
  expect((await sql`select from portfolio where owner_id = ${zoe.accountId}`.execute(database())).rows).toEqual([]);
  expect(
    (await sql`select affiliate_reference as code from account where id = ${zoe.accountId}`.execute(database())).rows,
  ).toEqual([{ code: null }]);
});
