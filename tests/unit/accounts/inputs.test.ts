import {
  authAnswerOf,
  changePasswordSchema,
  credentialsSchema,
  followSchema,
  followStakeSchema,
  registrationSchema,
  settingsPatchSchema,
  verifyCodeSchema,
} from '@/lib/accounts/schema';
import { outcomeNumber } from '@/lib/accounts/schema/authentication';
import { confirmationMail, newPasswordMail, passwordChangedMail } from '@/lib/accounts/rules/mails';
import { LoginOutcome } from '@/lib/reference/schema';

const registration = {
  email: 'ann@example.org',
  password: 'three plain otters',
  location: 'GB',
  timezoneId: 41,
  news: false,
  terms: true,
  token: 'x',
};

describe('what comes in', () => {
  test('a registration is taken as JSON and as the texts of a form alike', () => {
    const form = {
      email: ' ann@example.org ',
      username: '',
      password: 'three plain otters',
      location: 'gb',
      timezoneId: '41',
      terms: 'on',
      token: 'x',
    };
    expect(registrationSchema.parse(form)).toEqual({ ...registration, username: undefined });
    expect(registrationSchema.parse(registration)).toEqual(registration);
  });

  test.each([
    [{ email: 'ann' }, 'email'],
    [{ password: 'short' }, 'password'],
    [{ password: 'x'.repeat(129) }, 'password'],
    [{ location: 'ZZ' }, 'location'],
    [{ timezoneId: 103 }, 'timezoneId'],
    [{ timezoneId: '1e1' }, 'timezoneId'],
    [{ terms: false }, 'terms'],
    [{ terms: undefined }, 'terms'],
    [{ username: 'a b' }, 'username'],
    [{ news: 'maybe' }, 'news'],
    [{ role: 1 }, ''],
  ])('a registration with %j is refused at the field concerned', (wrong, field) => {
    const { error } = registrationSchema.safeParse({ ...registration, ...wrong });
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([field]);
  });

  test('the name of a login is trimmed, its password left as given; e-mail and code of a verification are trimmed', () => {
    expect(credentialsSchema.parse({ username: ' ann ', password: ' as given ' })).toEqual({
      username: 'ann',
      password: ' as given ',
    });
    expect(verifyCodeSchema.parse({ emailAddress: ' ann@example.org ', code: ' 012345 ' })).toEqual({
      emailAddress: 'ann@example.org',
      code: '012345',
    });
  });

  test.each(['12345', '1234567', '12345a', '١٢٣٤٥٦', ''])('%j is no code', (code) => {
    expect(verifyCodeSchema.safeParse({ emailAddress: 'ann@example.org', code }).success).toBe(false);
  });

  test('a password is changed by code and address or by a link, and by nothing less', () => {
    const newPassword = 'three plain otters';
    const guid = '3f2b8c1e-5d77-4c1b-9a53-0e6a7d1c2b3a';
    const taken = (given: object) => changePasswordSchema.safeParse({ newPassword, ...given }).success;
    expect([
      taken({ guid }),
      taken({ guid, code: '', emailAddress: '' }),
      taken({ code: '123456', emailAddress: 'ann@example.org', guid: '' }),
    ]).toEqual([true, true, true]);
    expect([
      taken({}),
      taken({ code: '123456' }),
      taken({ emailAddress: 'ann@example.org' }),
      taken({ guid: 'x' }),
    ]).toEqual([false, false, false, false]);
  });

  test('settings are changed one or more at a time, none is refused in the words of the specification', () => {
    expect(settingsPatchSchema.safeParse({}).error?.issues[0]?.message).toBe('No user settings to patch');
    expect(settingsPatchSchema.parse({ maxStake: 2.5, oddsDisplayType: 'US' })).toEqual({
      maxStake: 2.5,
      oddsDisplayType: 'US',
    });
  });

  test.each([0, -0, -1, 1e-9, 1e-320, 0.001, 0.0099999999, 1_000_001, 1e300, Infinity, NaN])(
    'the max stake %d is refused in the settings and for a tipster that is followed',
    (maxStake) => {
      for (const schema of [settingsPatchSchema, followSchema, followStakeSchema]) {
        const { error } = schema.safeParse({ maxStake });
        expect(error?.issues[0]?.message).toMatch(/^Enter (a|the) max stake /);
      }
    },
  );

  test('the least max stake is a hundredth', () => {
    expect(followStakeSchema.parse({ maxStake: 0.01 })).toEqual({ maxStake: 0.01 });
  });

  test.each([
    { maxStake: 0 },
    { maxStake: 0.001 },
    { maxStake: 1_000_001 },
    { maxStake: '10' },
    { betCurrencyId: 8 },
    { countryId: 251 },
    { timezoneId: 0 },
    { oddsDisplayType: 'moneyline' },
    { role: 1 },
  ])('the settings %j are refused', (wrong) => {
    expect(settingsPatchSchema.safeParse(wrong).success).toBe(false);
  });
});

test('the outcomes of a login are numbered in the order of the specification', () => {
  expect(
    [
      LoginOutcome.error,
      LoginOutcome.success,
      LoginOutcome.incorrectUser,
      LoginOutcome.incorrectPassword,
      LoginOutcome.locked,
    ].map(outcomeNumber),
  ).toEqual([0, 1, 2, 3, 4]);
  expect(authAnswerOf({ token: 'a', refreshToken: 'b', role: 2, cookie: 'secret' })).toEqual({
    outcome: 1,
    token: 'a',
    refreshToken: 'b',
    role: 2,
  });
});

describe('a mail', () => {
  const url = 'https://tipledger.example/forgotten-password?guid=a&b="c"';
  test.each([
    ['of a new account', confirmationMail({ username: '<b>ann</b>', code: '012345', url }), '012345'],
    ['of a forgotten password', newPasswordMail({ username: '<b>ann</b>', code: '012345', url }), '012345'],
    ['of a changed password', passwordChangedMail({ username: '<b>ann</b>', url }), 'changed'],
  ])(
    '%s says the same in text and HTML, in which nothing that was given is markup',
    (_, { subject, text, html }, word) => {
      expect(subject).toContain(word);
      expect(text).toContain('Hello <b>ann</b>,');
      expect(text).toContain(url);
      expect(html).not.toContain('<b>ann');
      expect(html).toContain('&#60;b&#62;ann');
      expect(html).toContain('href="https://tipledger.example/forgotten-password?guid=a&#38;b=&#34;c&#34;"');
    },
  );
});
