import { sql } from 'kysely';
import {
  askForCode,
  changePassword,
  createAccount,
  deleteAccount,
  hashPassword,
  registerAccount,
  resendCode,
  sendAskedCodes,
  signIn,
  verifyCode,
} from '@/lib/accounts/commands';
import { isPassword } from '@/lib/accounts/commands/passwords';
import { sendCode } from '@/lib/accounts/commands/sent-codes';
import { accountLimits, registrationSchema } from '@/lib/accounts/schema';
import { exportUser, getUser } from '@/lib/accounts/queries';
import { member } from '@/lib/http/viewer';
import { database } from '@/lib/platform/database';
import { type Failure, isFailure } from '@/lib/platform/errors';
import { Role } from '@/lib/reference/schema';
import { timeZoneByReference } from '@/lib/reference/schema/time-zones';
import { countryByIso2 } from '@/lib/reference/schema/countries';
import {
  callerFrom,
  codeMailedTo,
  newAddress,
  openAccount,
  rightPassword,
  solvedProof,
  viewerOf,
} from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { countQueries } from '../support/queries';
import { trialSize } from '../support/trial-size';
import { begunMeanwhile } from '../support/waiting';
import { worldNow } from '../support/world';

onTestDatabase();

// A run of many more rounds is asked for by the environment.
const rounds = trialSize('LOGIN_ROUNDS', 40);

const after = (seconds: number) => new Date(worldNow.getTime() + seconds * 1000);

async function outcomeOf(work: Promise<unknown>): Promise<number | string> {
  return work.then(
    () => 1,
    (error: unknown) =>
      isFailure(error) ? ((error.details.outcome as number | undefined) ?? error.kind) : String(error),
  );
}

const tryPassword = (username: string, password: string, address: string, now = worldNow) =>
  outcomeOf(signIn({ username, password }, callerFrom(address), now));

beforeAll(async () => {
  standAt(worldNow);
  await openAccount('ann', {}, worldNow);
  await createAccount({ username: 'demo-dan', demo: true }, worldNow);
});

describe('a password', () => {
  test('is stored as Argon2id with 19 MiB, two passes and a salt of its own', async () => {
    const [one, two] = [await hashPassword(rightPassword), await hashPassword(rightPassword)];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect([
      await isPassword(rightPassword, one),
      await isPassword(`${rightPassword} `, one),
      await isPassword(rightPassword, null),
    ]).toEqual([true, false, false]);
  });

  test('is the same however its accents are put together', async () => {
    expect(await isPassword('cafe\u0301 au lait', await hashPassword('caf\u00e9 au lait'))).toBe(true);
  });
});

describe('signing in', () => {
  test.each(['ann', 'ANN', 'ann@example.org', 'Ann@Example.ORG'])('takes %s as the name', async (name) => {
    expect(await tryPassword(name, rightPassword, newAddress())).toBe(1);
  });

  test('ends alike for an unknown name, an unknown address, a demo account and a wrong password', async () => {
    for (const name of ['nobody-here', 'nobody@example.org', 'demo-dan', 'ann'])
      expect([name, await tryPassword(name, 'a wrong password', newAddress())]).toEqual([name, 3]);
  });

  test.each([
    '',
    ' ',
    'a',
    'two words',
    'x'.repeat(41),
    `${'x'.repeat(250)}@example.org`,
    "ann'; --",
    'ann\u0000',
    '@',
    'ann@',
    '-ann',
  ])('knows that no account can be called %j', async (name) => {
    expect(await tryPassword(name, rightPassword, newAddress())).toBe(2);
  });

  test(
    'of a name that is unknown takes as long as with a wrong password',
    async () => {
      const times: Record<string, number[]> = { ann: [], nobody: [] };
      for (let round = 0; round < rounds; round += 1) {
        for (const name of Object.keys(times)) {
          const begun = performance.now();
          await tryPassword(name, 'a wrong password', newAddress());
          times[name]?.push(performance.now() - begun);
        }
      }
      const [known, unknown] = Object.values(times).map(
        (list) => list.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0,
      );
      // Without the work of the hash the ratio would be five or more.
      expect((known ?? 0) / (unknown ?? 1)).toBeGreaterThan(0.6);
      expect((known ?? 0) / (unknown ?? 1)).toBeLessThan(1.67);
    },
    30_000 + rounds * 500,
  );

  test('is not possible once the account is deleted', async () => {
    const id = await openAccount('gone', {}, worldNow);
    await sql`update account set deleted_at = ${worldNow}, email = null, password_hash = null where id = ${id}`.execute(
      database(),
    );
    expect(await tryPassword('gone', rightPassword, newAddress())).toBe(3);
  });
});

describe('ten wrong passwords', () => {
  const fail = async (name: string, address: string, times: number, now = worldNow) => {
    const outcomes = [];
    for (let count = 0; count < times; count += 1)
      outcomes.push(await tryPassword(name, 'a wrong password', address, now));
    return outcomes;
  };

  const claimPassword = 'a claim of its own';

  /** An account that claims an address (0050), with a password of its own. */
  const openClaim = async (username: string, email: string) => {
    const id = await openAccount(username, { confirmed: false }, worldNow);
    const hash = await hashPassword(claimPassword);
    await sql`update account set email = ${email}, password_hash = ${hash} where id = ${id}`.execute(database());
  };

  test('lock the account for that address, the right password included, for fifteen minutes and nobody elsewhere', async () => {
    const [here, elsewhere] = [newAddress(), newAddress()];
    expect(await fail('ann', here, 12)).toEqual([...Array<number>(10).fill(3), 4, 4]);
    expect(await tryPassword('ann', rightPassword, here, after(899))).toBe(4);
    expect(await tryPassword('ann', rightPassword, elsewhere)).toBe(1);
    expect(await tryPassword('ann', rightPassword, here, after(900))).toBe(1);
  });

  test('are counted for the network of an address, of which a line has many', async () => {
    for (let count = 0; count < 10; count += 1) await fail('ann', `2001:db8:7:1::${count}`, 1);
    expect(await tryPassword('ann', rightPassword, '2001:db8:7:1:ffff::1')).toBe(4);
    expect(await tryPassword('ann', rightPassword, '2001:db8:7:2::1')).toBe(1);
  });

  test('lock a name that does not exist in the same way', async () => {
    const here = newAddress();
    expect(await fail('nobody-here', here, 11)).toEqual([...Array<number>(10).fill(3), 4]);
    expect(await tryPassword('nobody-here', 'a wrong password', here, after(900))).toBe(3);
  });

  test('are counted under the name and the e-mail address together', async () => {
    const here = newAddress();
    await fail('ann', here, 5);
    await fail('ann@example.org', here, 5);
    expect(await tryPassword('ann', rightPassword, here)).toBe(4);
  });

  test('are forgotten after a right one, and one by one after fifteen minutes', async () => {
    const here = newAddress();
    await fail('ann', here, 9);
    expect(await tryPassword('ann', rightPassword, here)).toBe(1);
    await fail('ann', here, 9);
    expect((await fail('ann', here, 2, after(901))).at(-1)).toBe(3);
  });

  test('of an address stay counted while an account that claims it signs in', async () => {
    await openAccount('omar', {}, worldNow);
    await openClaim('claimer', 'omar@example.org');
    const here = newAddress();
    expect(await fail('omar@example.org', here, 9)).toEqual(Array<number>(9).fill(3));
    for (const name of ['claimer', 'omar@example.org', 'claimer', 'omar@example.org'])
      expect([name, await tryPassword(name, claimPassword, here)]).toEqual([name, 1]);
    expect(await fail('omar@example.org', here, 2)).toEqual([3, 4]);
    expect(await tryPassword('omar', rightPassword, here)).toBe(4);
    expect(await tryPassword('omar@example.org', rightPassword, newAddress())).toBe(1);
  });

  test('are told alike to an account that claims an address, whether another has it or not', async () => {
    await openAccount('odile', {}, worldNow);
    /** Seen by address once the name that may stand behind it is locked, and once the claim's own is. */
    const behindName = async (email: string, username: string) => {
      const there = newAddress();
      const seen: unknown[] = [];
      for (const name of ['odile', username])
        seen.push(await fail(name, there, 11), await tryPassword(email, claimPassword, there));
      return [...seen, await fail(email, there, 11)];
    };
    const seenBy = async (username: string, email: string) => {
      await openClaim(username, email);
      const here = newAddress();
      const own = (name: string) => tryPassword(name, claimPassword, here);
      return [
        await fail(email, here, 6),
        await own(email),
        await fail(username, here, 6),
        await own(username),
        await fail(email, here, 5),
        await own(email),
        await own(username),
        await fail(username, here, 11),
        await behindName(email, username),
      ];
    };
    expect(await seenBy('claims-odile', 'odile@example.org')).toEqual(
      await seenBy('claims-none', 'nobody-else@example.org'),
    );
  });

  test('of an address are forgotten after the right one of the account that confirmed it', async () => {
    await openAccount('oona', {}, worldNow);
    const here = newAddress();
    for (let round = 0; round < 2; round += 1) {
      await fail('oona@example.org', here, 9);
      expect(await tryPassword('oona@example.org', rightPassword, here)).toBe(1);
    }
  });

  test('are ten also when all come at once', async () => {
    const here = newAddress();
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => tryPassword('ann', 'a wrong password', here)));
    expect(outcomes.filter((outcome) => outcome === 3).length).toBe(10);
  });
});

describe('a registration', () => {
  const given = {
    email: 'Eve@Example.org',
    username: 'eve',
    password: 'seven green kettles',
    location: 'ie',
    timezoneId: timeZoneByReference.london.id,
    terms: true,
  };
  const register = async (
    more: Record<string, unknown> & { token?: string | undefined },
    { unproven = false, address = newAddress() } = {},
  ) =>
    registerAccount(
      registrationSchema.parse({
        ...given,
        ...more,
        token: more.token ?? (unproven ? '' : await solvedProof(worldNow)),
      }),
      { ...callerFrom(address), unproven },
      worldNow,
    );
  const failureOf = async (work: Promise<unknown>): Promise<Failure> =>
    work.then(
      () => Promise.reject(new Error('It was not refused.')),
      (error: unknown) => (isFailure(error) ? error : Promise.reject(error)),
    );

  test('opens an account with its choices, signs it in, and mails a code; the address is not confirmed', async () => {
    const login = await register({});
    const viewer = await viewerOf(login, worldNow);
    expect(viewer).toMatchObject({ kind: 'member', confirmed: false, countryId: countryByIso2.IE.id });
    expect(await getUser(viewer, worldNow)).toEqual({
      user: {
        username: 'eve',
        email: 'Eve@Example.org',
        countryId: countryByIso2.IE.id,
        emailConfirmed: false,
        hasActivePremiumPortfolio: false,
        hasActiveSubscription: false,
        hasProMembership: false,
        affiliateReference: null,
      },
      settings: {
        maxStake: 10,
        betCurrencyId: 2,
        buyCurrencyId: 1,
        countryId: countryByIso2.IE.id,
        timezoneId: timeZoneByReference.london.id,
        oddsDisplayType: 'decimal',
      },
    });
    await sendAskedCodes(worldNow);
    expect(await codeMailedTo('Eve@Example.org')).toMatch(/^\d{6}$/);
    expect(await tryPassword('eve@example.org', given.password, newAddress())).toBe(1);
  });

  test('gives a name that says nothing of the address when none is chosen', async () => {
    const viewer = await viewerOf(
      await register({ email: 'secret.person@example.org', username: undefined }),
      worldNow,
    );
    const { user } = await getUser(viewer, worldNow);
    expect(user.username).toMatch(/^member-[a-z0-9]{8}$/);
  });

  test('is refused for an address or name that is taken, in whatever letters, and says which', async () => {
    await register({ email: 'fay@example.org', username: 'fay' });
    expect(await failureOf(register({ email: 'FAY@example.org', username: 'fay2' }))).toMatchObject({
      kind: 'conflict',
      fields: { email: expect.any(String) },
    });
    expect(await failureOf(register({ email: 'fay2@example.org', username: 'FAY' }))).toMatchObject({
      kind: 'conflict',
      fields: { username: expect.any(String) },
    });
  });

  test.each(['former-tipster-7', 'admin', 'admin1', 'staff1', 'tipledger-team', 'member-abcdefgh'])(
    'is refused for the name %s, which is the site’s own',
    async (username) => {
      expect(await failureOf(register({ email: 'gil@example.org', username }))).toMatchObject({
        kind: 'invalid',
        fields: { username: expect.stringContaining('reserved') },
      });
    },
  );

  test.each([['password1234'], ['hal@example.org'], ['qwertyuiop'], ['Liverpool2024!']])(
    'is refused for the password %s',
    async (password) => {
      expect(await failureOf(register({ email: 'hal@example.org', username: 'hal', password }))).toMatchObject({
        kind: 'invalid',
        fields: { password: expect.any(String) },
      });
    },
  );

  describe('with an address that has an account', () => {
    type Seen = Record<string, unknown>;
    const codeKind = async (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (error: unknown) => (isFailure(error) ? error.message : Promise.reject(error)),
      );

    /** All that somebody sees who signs up with an address, and does whatever else can be done with it, save reading its mailbox. */
    async function seenBy(email: string, name: string): Promise<Seen> {
      const login = await register({ email, username: name });
      await sendAskedCodes(worldNow);
      const viewer = await viewerOf(login, worldNow);
      const user = (await getUser(viewer, worldNow)).user;
      const again = await failureOf(register({ email, username: `${name}-again` }));
      await resendCode(viewer, undefined, worldNow);
      await askForCode(email, 'password', worldNow);
      await sendAskedCodes(worldNow);
      const codes: string[] = [];
      for (let count = 0; count < 5; count += 1) {
        codes.push(await codeKind(resendCode(viewer, undefined, worldNow)));
        await sendAskedCodes(worldNow);
      }
      return {
        codes,
        kind: viewer.kind,
        user: { ...user, username: '', email: user.email === email },
        again: [again.kind, again.fields],
        byAddress: await tryPassword(email, given.password, newAddress()),
        byName: await tryPassword(name, given.password, newAddress()),
        wrong: await tryPassword(email, 'another password', newAddress()),
        code: await codeKind(verifyCode({ emailAddress: email, code: '000000' }, worldNow, newAddress())),
        mails: (await exportUser(viewer, worldNow)).mails,
      };
    }

    test('is taken as any other, and so is all that follows', async () => {
      await openAccount('olga', {}, worldNow);
      expect(await seenBy('olga@example.org', 'olga-two')).toEqual(
        await seenBy('nobody-yet@example.org', 'nobody-yet'),
      );
    });

    test('tells its owner, three times a day at most, and leaves the account as it is', async () => {
      await openAccount('otto', {}, worldNow);
      for (let count = 0; count < 5; count += 1) {
        await register({ email: 'OTTO@example.org', username: `otto-${'abcde'[count]}` });
        await sendAskedCodes(worldNow);
        await sql`update account set email = null where username like 'otto-%'`.execute(database());
      }
      const { rows } = await sql<{
        subject: string;
        text: string;
      }>`select subject, text from mail_outbox where recipient = 'otto@example.org'`.execute(database());
      expect(rows.map(({ subject }) => subject)).toEqual(
        Array.from({ length: 3 }, () => 'You already have a Tipledger account'),
      );
      expect(rows[0]?.text).toMatch(/\/login[\s\S]*\/forgotten-password/);
      expect([
        await tryPassword('otto@example.org', rightPassword, newAddress()),
        await tryPassword('otto', rightPassword, newAddress()),
      ]).toEqual([1, 1]);
    });

    test('never confirms it: a code for a new password is the owner’s', async () => {
      const ownerId = await openAccount('orla', {}, worldNow);
      await register({ email: 'orla@example.org', username: 'orla-two' });
      await askForCode('orla@example.org', 'password', worldNow);
      await sendAskedCodes(worldNow);
      await changePassword(
        {
          emailAddress: 'orla@example.org',
          code: await codeMailedTo('orla@example.org'),
          newPassword: 'nine red ladders',
        },
        worldNow,
      );
      const { rows } = await sql<{
        id: number;
      }>`select id from account where lower(email) = 'orla@example.org' and email_confirmed`.execute(database());
      expect(rows).toEqual([{ id: ownerId }]);
      expect(await tryPassword('orla', 'nine red ladders', newAddress())).toBe(1);
    });

    test('takes the same work as any other', async () => {
      await openAccount('oz', {}, worldNow);
      const token = [await solvedProof(worldNow), await solvedProof(worldNow)];
      const known = await countQueries(() =>
        register({ email: 'oz@example.org', username: 'oz-two', token: token[0] }),
      );
      expect(known).toBeGreaterThan(5);
      expect(
        await countQueries(() => register({ email: 'oz-nobody@example.org', username: 'oz-nobody', token: token[1] })),
      ).toBe(known);
    });
  });

  test('of an address that nobody confirmed in a day is open to the next', async () => {
    await register({ email: 'una@example.org', username: 'una' });
    const { rows } = await sql<{ id: number }>`select id from account where username = 'una'`.execute(database());
    const id = rows[0]?.id ?? 0;
    await sendCode({ id, username: 'una', email: 'una@example.org' }, 'password', worldNow);
    const day = accountLimits.claimSeconds;
    const next = async (username: string, seconds: number) => {
      standAt(after(seconds));
      const token = await solvedProof(after(seconds));
      return registerAccount(
        registrationSchema.parse({ ...given, email: 'una@example.org', username, token }),
        { ...callerFrom(newAddress()), unproven: false },
        after(seconds),
      );
    };
    expect(await failureOf(next('una-two', day - 1))).toMatchObject({
      kind: 'conflict',
      fields: { email: expect.any(String) },
    });
    const viewer = await viewerOf(await next('una-three', day), after(day));
    expect((await getUser(viewer, after(day))).user.email).toBe('una@example.org');
    expect((await sql`select from account_code where account_id = ${id}`.execute(database())).rows).toEqual([]);
    standAt(worldNow);
  });

  test('of one address twice at once opens one account', async () => {
    const both = await Promise.allSettled(
      ['ida', 'ida-too'].map((username) => register({ email: 'ida@example.org', username })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('takes each proof of work once, none that has expired and none that was altered', async () => {
    const token = await solvedProof(worldNow);
    await register({ email: 'jon@example.org', username: 'jon', token });
    expect(await failureOf(register({ email: 'kim@example.org', username: 'kim', token }))).toMatchObject({
      kind: 'invalid',
      fields: { token: 'The robot check was used before.' },
    });
    const late = await solvedProof(worldNow);
    standAt(after(1_201));
    const expired = registerAccount(
      registrationSchema.parse({ ...given, email: 'kim@example.org', username: 'kim', token: late }),
      { ...callerFrom(newAddress()), unproven: false },
      after(1_201),
    );
    expect(await failureOf(expired)).toMatchObject({ fields: { token: 'The robot check has expired.' } });
    standAt(worldNow);
    const payload = JSON.parse(Buffer.from(await solvedProof(worldNow), 'base64').toString()) as {
      challenge: { parameters: { cost: number } };
      solution: { counter: number };
    };
    const encode = (altered: object) => Buffer.from(JSON.stringify(altered)).toString('base64');
    const easier = {
      ...payload,
      challenge: { ...payload.challenge, parameters: { ...payload.challenge.parameters, cost: 1 } },
    };
    const guessed = { ...payload, solution: { counter: payload.solution.counter + 1, derivedKey: '00'.repeat(32) } };
    for (const wrong of [encode(easier), encode(guessed), 'nothing', '']) {
      expect(await failureOf(register({ email: 'kim@example.org', username: 'kim', token: wrong }))).toMatchObject({
        kind: 'invalid',
        fields: { token: expect.any(String) },
      });
    }
  });

  test('from a browser without script needs no proof, five times an hour from one address', async () => {
    const address = newAddress();
    for (let count = 1; count <= 5; count += 1)
      await register({ email: `lou${count}@example.org`, username: `lou-${count}` }, { unproven: true, address });
    expect(
      await failureOf(register({ email: 'lou6@example.org', username: 'lou-6' }, { unproven: true, address })),
    ).toMatchObject({ kind: 'too-many' });
  });
});

describe('a login that is under way', () => {
  const sessionsOf = async (accountId: number) =>
    (
      await sql<{ live: number }>`
        select (count(*) filter (where revoked_at is null))::int as live from session where account_id = ${accountId}
      `.execute(database())
    ).rows[0]?.live;
  const signingIn = (username: string) => () => tryPassword(username, rightPassword, newAddress());

  test('by the old password when the password is changed is refused as a wrong one, and leaves no session', async () => {
    const accountId = await openAccount('late-lou', {}, worldNow);
    await askForCode('late-lou@example.org', 'password', worldNow);
    await sendAskedCodes(worldNow);
    const code = await codeMailedTo('late-lou@example.org');
    const change = { emailAddress: 'late-lou@example.org', code, newPassword: 'eleven quiet lanterns' };
    const [outcome] = await begunMeanwhile('mail_outbox', () => changePassword(change, worldNow), [
      signingIn('late-lou'),
    ]);
    expect(outcome).toEqual({ status: 'fulfilled', value: await tryPassword('late-lou', rightPassword, newAddress()) });
    expect(await sessionsOf(accountId)).toBe(0);
    expect(await tryPassword('late-lou', 'eleven quiet lanterns', newAddress())).toBe(1);
  });

  test('when the account is deleted is refused alike, and leaves nothing of it', async () => {
    const accountId = await openAccount('late-lea', {}, worldNow);
    const lea = member({ accountId, role: Role.user, pro: false, owns: [], subscribes: [] });
    const [outcome] = await begunMeanwhile('mail_outbox', () => deleteAccount(lea, worldNow), [signingIn('late-lea')]);
    expect(outcome).toEqual({
      status: 'fulfilled',
      value: await tryPassword('nobody-here', rightPassword, newAddress()),
    });
    expect(await sessionsOf(accountId)).toBe(0);
  });
});
