import { sql } from 'kysely';
import { sendAskedCodes } from '@/lib/accounts/commands';
import { formCookieName, sessionCookieName } from '@/lib/accounts/schema';
import { readFlashCookie } from '@/lib/http/form-flash';
import type { Call } from '@/lib/api/handle';
import { database } from '@/lib/platform/database';
import { putMail } from '@/lib/platform/mail';
import { bearer, codeMailedTo, logIn, newAddress, openAccount, otherCode, solvedProof } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { inEnvironment } from '../support/environment';
import { openGeocoder } from '../support/geocoder';
import { describeCall, pathOf } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

beforeAll(() => standAt(worldNow));

const from = () => ({ 'x-tipledger-address': newAddress() });
const password = 'three plain otters';
const newPassword = 'seven green kettles';

/** Sends what a browser without script does. */
async function submit(call: Call, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const path = pathOf(call);
  const request = new Request(`http://localhost/api${path.replace(/\{\w+\}/g, 'x')}`, {
    method: 'POST',
    body: String(new URLSearchParams(fields)),
    headers: {
      ...from(),
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'text/html',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
  });
  const response = await call(request, { params: Promise.resolve({}) });
  const cookies = response.headers.getSetCookie();
  const flashLine = cookies.find((line) => line.startsWith(`${formCookieName}=`)) ?? '';
  const flash = readFlashCookie(flashLine.slice(formCookieName.length + 1).split(';')[0], [path]);
  return {
    status: response.status,
    location: response.headers.get('location'),
    flash,
    hasSession: cookies.some((line) => line.startsWith(`${sessionCookieName}=`)),
  };
}

async function codeFor(email: string, purpose: 'confirm' | 'password'): Promise<string> {
  await sql`insert into code_request (email, purpose, asked_at) values (${email}, ${purpose}, ${worldNow})`.execute(
    database(),
  );
  await sendAskedCodes(worldNow);
  return codeMailedTo(email);
}

async function guidFor(email: string): Promise<string> {
  await codeFor(email, 'password');
  const { rows } = await sql<{
    text: string;
  }>`select text from mail_outbox where recipient = ${email} order by id desc limit 1`.execute(database());
  return /guid=([0-9a-f-]{36})/.exec(rows[0]?.text ?? '')?.[1] ?? '';
}

describeCall('/account/challenge', 'GET', (ask) => {
  test('gives a challenge that nobody keeps, another each time', async () => {
    const [one, two] = [await ask({ headers: from() }), await ask({ headers: from() })];
    expect(one.view).toMatchObject({
      parameters: { algorithm: 'PBKDF2/SHA-256', expiresAt: worldNow.getTime() / 1000 + 1_200 },
      signature: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(one.headers.get('cache-control')).toBe('no-store');
    expect(one.text).not.toBe(two.text);
  });
});

describeCall('/account/register', 'POST', (ask, call) => {
  const given = {
    email: 'ann@example.org',
    username: 'ann',
    password,
    location: 'GB',
    timezoneId: 41,
    news: false,
    terms: true,
  };

  test('opens an account, signed in, and mails its code', async () => {
    const { status, view, headers } = await ask({
      body: { ...given, token: await solvedProof(worldNow) },
      headers: from(),
    });
    expect([status, view]).toEqual([
      200,
      { outcome: 1, token: expect.any(String), refreshToken: expect.any(String), role: 0 },
    ]);
    expect(headers.getSetCookie()[0]).toContain(`${sessionCookieName}=`);
    await sendAskedCodes(worldNow);
    expect(await codeMailedTo('ann@example.org')).toMatch(/^\d{6}$/);
  });

  test('takes the payload of the specification alone, without a username', async () => {
    const { username: _, ...payload } = given;
    expect(
      (
        await ask({
          body: { ...payload, email: 'bob@example.org', token: await solvedProof(worldNow) },
          headers: from(),
        })
      ).status,
    ).toBe(200);
  });

  test('refuses an address that has an account with 409 and names the field', async () => {
    const { status, refusal } = await ask({
      body: { ...given, username: 'ann-too', token: await solvedProof(worldNow) },
      headers: from(),
    });
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([409, ['email']]);
  });

  test.each([
    ['email', { email: 'ann' }],
    ['password', { password: 'short' }],
    ['password', { password: 'password1234' }],
    ['terms', { terms: false }],
    ['timezoneId', { timezoneId: 0 }],
    ['location', { location: 'ZZ' }],
    ['token', { token: 'nothing' }],
    ['token', {}],
  ])('names the field %s when it is wrong: %j', async (field, wrong) => {
    const { status, refusal } = await ask({
      body: { ...given, email: 'cat@example.org', username: 'cat', ...wrong },
      headers: from(),
    });
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, [field]]);
  });

  test('works as a form without script, leads to the verification and comes back with what was typed', async () => {
    const fields = {
      email: 'dan@example.org',
      username: 'dan',
      password,
      location: 'GB',
      timezoneId: '41',
      redirect_to: '/tipster',
    };
    const refused = await submit(call, fields);
    expect([refused.status, refused.location, refused.hasSession]).toEqual([
      303,
      '/register?redirect_to=%2Ftipster',
      false,
    ]);
    expect(refused.flash).toEqual({
      message: expect.any(String),
      fields: { terms: expect.any(String) },
      values: { email: 'dan@example.org', username: 'dan', location: 'GB', timezoneId: '41', redirect_to: '/tipster' },
    });
    const taken = await submit(call, { ...fields, terms: 'true', redirect_to: 'https://evil.example' });
    expect([taken.status, taken.location, taken.hasSession]).toEqual([
      303,
      '/register/verify?redirect_after_verify=%2Fdashboard',
      true,
    ]);
  });
});

describeCall('/account/forgotten-password', 'POST', (ask, call) => {
  test('answers the same for an address with an account and one without, and mails the first alone', async () => {
    await openAccount('eve', {}, worldNow);
    const answers = [];
    for (const emailAddress of ['eve@example.org', 'nobody@example.org'])
      answers.push(
        await ask({ body: { emailAddress: ` ${emailAddress} `, token: await solvedProof(worldNow) }, headers: from() }),
      );
    const [known, unknown] = answers.map(({ status, text, headers }) => [status, text, [...headers]]);
    expect(known).toEqual(unknown);
    expect(answers[0]?.view).toEqual({ done: true });
    await sendAskedCodes(worldNow);
    expect(await codeMailedTo('eve@example.org')).toMatch(/^\d{6}$/);
    await expect(codeMailedTo('nobody@example.org')).rejects.toThrow('No code');
  });

  test('refuses what is no address, and a form without proof of work', async () => {
    expect((await ask({ body: { emailAddress: 'eve', token: 'x' }, headers: from() })).refusal?.fields).toHaveProperty(
      'emailAddress',
    );
    expect(
      (await ask({ body: { emailAddress: 'eve@example.org', token: '' }, headers: from() })).refusal?.fields,
    ).toHaveProperty('token');
  });

  test('works as a form without script, a few times an hour', async () => {
    const address = from();
    for (let count = 0; count < 5; count += 1)
      expect((await submit(call, { emailAddress: 'eve@example.org' }, address)).location).toBe(
        '/forgotten-password?sent=1',
      );
    const sixth = await submit(call, { emailAddress: 'eve@example.org' }, address);
    expect([sixth.location, sixth.flash?.message]).toEqual([
      '/forgotten-password',
      expect.stringContaining('in an hour'),
    ]);
  });
});

describeCall('/account/verify-code', 'POST', (ask, call) => {
  test('confirms an address by its code, trimmed', async () => {
    await openAccount('fay', { confirmed: false }, worldNow);
    const code = await codeFor('fay@example.org', 'confirm');
    expect(
      (await ask({ body: { emailAddress: 'fay@example.org', code: otherCode(code) }, headers: from() })).status,
    ).toBe(400);
    expect(
      (await ask({ body: { emailAddress: ' fay@example.org', code: ` ${code} ` }, headers: from() })).view,
    ).toEqual({ verified: true, purpose: 'confirm' });
  });

  test('says the same of a wrong code as of an unknown address', async () => {
    await openAccount('gus', { confirmed: false }, worldNow);
    const code = otherCode(await codeFor('gus@example.org', 'confirm'));
    const texts = await Promise.all(
      ['gus@example.org', 'nobody@example.org'].map(
        async (emailAddress) => (await ask({ body: { emailAddress, code }, headers: from() })).text,
      ),
    );
    expect(texts[0]).toBe(texts[1]);
  });

  test('checks a code for a new password and leaves it good', async () => {
    await openAccount('hal', {}, worldNow);
    const code = await codeFor('hal@example.org', 'password');
    for (let count = 0; count < 2; count += 1)
      expect((await ask({ body: { emailAddress: 'hal@example.org', code }, headers: from() })).view).toEqual({
        verified: true,
        purpose: 'password',
      });
  });

  test('works as a form without script and keeps the way on', async () => {
    await openAccount('ida', { confirmed: false }, worldNow);
    const code = await codeFor('ida@example.org', 'confirm');
    const wrong = await submit(call, {
      emailAddress: 'ida@example.org',
      code: otherCode(code),
      redirect_after_verify: '/tipster',
    });
    expect([wrong.location, Object.keys(wrong.flash?.fields ?? {}), wrong.flash?.values]).toEqual([
      '/register/verify?redirect_after_verify=%2Ftipster',
      ['code'],
      { emailAddress: 'ida@example.org', redirect_after_verify: '/tipster' },
    ]);
    expect(
      (await submit(call, { emailAddress: 'ida@example.org', code, redirect_after_verify: '//evil.example' })).location,
    ).toBe('/dashboard');
  });

  test('shows the form again, which confirms an address, for a code that is for a new password', async () => {
    await openAccount('ivo', { confirmed: false }, worldNow);
    const code = await codeFor('ivo@example.org', 'password');
    const { location, flash } = await submit(call, { emailAddress: 'ivo@example.org', code });
    expect([location, flash?.message]).toEqual([
      '/register/verify',
      expect.stringMatching(/^This code is for a new password\./),
    ]);
  });

  test.each([
    [{ emailAddress: 'a@example.org', code: '12345' }],
    [{ emailAddress: 'a@example.org' }],
    [{ code: '123456' }],
    [{}],
  ])('refuses %j', async (body) => {
    expect((await ask({ body, headers: from() })).status).toBe(400);
  });
});

describeCall('/account/verify-guid', 'POST', (ask) => {
  test('knows the link of a mail and no other', async () => {
    await openAccount('jon', {}, worldNow);
    expect((await ask({ body: { guid: await guidFor('jon@example.org') }, headers: from() })).view).toEqual({
      done: true,
    });
    expect(
      (await ask({ body: { guid: '00000000-0000-4000-8000-000000000000' }, headers: from() })).refusal?.message,
    ).toContain('has expired');
    expect((await ask({ body: { guid: 'x' }, headers: from() })).status).toBe(400);
  });
});

describeCall('/account/change-password', 'POST', (ask, call) => {
  test('takes a new password by the code, and by the link', async () => {
    await openAccount('kim', {}, worldNow);
    const code = await codeFor('kim@example.org', 'password');
    expect((await ask({ body: { emailAddress: 'kim@example.org', code, newPassword }, headers: from() })).view).toEqual(
      { done: true },
    );
    expect(
      (
        await ask({
          body: { guid: await guidFor('kim@example.org'), newPassword: 'nine red ladders' },
          headers: from(),
        })
      ).status,
    ).toBe(200);
  });

  test('names what is wrong', async () => {
    await openAccount('lou', {}, worldNow);
    const code = await codeFor('lou@example.org', 'password');
    const fieldsOf = async (body: object) => Object.keys((await ask({ body, headers: from() })).refusal?.fields ?? {});
    expect(await fieldsOf({ newPassword })).toEqual(['code']);
    expect(await fieldsOf({ emailAddress: 'lou@example.org', code: otherCode(code), newPassword })).toEqual(['code']);
    expect(await fieldsOf({ emailAddress: 'lou@example.org', code, newPassword: 'short' })).toEqual(['newPassword']);
    expect(await fieldsOf({ emailAddress: 'lou@example.org', code, newPassword: 'lou@example.org' })).toEqual([
      'newPassword',
    ]);
  });

  test('works as a form without script, and leads to the login', async () => {
    await openAccount('max', {}, worldNow);
    const guid = await guidFor('max@example.org');
    const refused = await submit(call, { guid, newPassword: 'short' });
    expect([refused.location, refused.flash?.values]).toEqual([`/forgotten-password?guid=${guid}`, {}]);
    expect((await submit(call, { guid, newPassword })).location).toBe('/login');
  });
});

describeCall('/account/resend-code', 'POST', (ask, call) => {
  test('mails a member who is not verified a new code, without any payload', async () => {
    const id = await openAccount('ned', { confirmed: false }, worldNow);
    const login = await logIn(id, worldNow);
    expect((await ask({ headers: { ...bearer(login), ...from() } })).view).toEqual({ done: true });
    await sendAskedCodes(worldNow);
    expect(await codeMailedTo('ned@example.org')).toMatch(/^\d{6}$/);
  });

  test('asks a guest without an address to sign in, and answers any address alike', async () => {
    expect((await ask({ headers: from() })).status).toBe(401);
    const texts = await Promise.all(
      ['ned@example.org', 'nobody@example.org'].map(
        async (emailAddress) => (await ask({ body: { emailAddress }, headers: from() })).text,
      ),
    );
    expect(texts).toEqual(['{"done":true}', '{"done":true}']);
  });

  test('works as a form without script, and its page hears what became of it', async () => {
    const taken = await submit(call, { emailAddress: 'ned@example.org', redirect_after_verify: '/tipster' });
    expect([taken.location, taken.flash]).toEqual(['/register/verify?redirect_after_verify=%2Ftipster&sent=1', null]);
    const refused = await submit(call, { emailAddress: 'ned', redirect_after_verify: '/tipster' });
    expect([refused.location, refused.flash]).toEqual([
      '/register/verify?redirect_after_verify=%2Ftipster',
      expect.objectContaining({ values: { emailAddress: 'ned', redirect_after_verify: '/tipster' } }),
    ]);
  });
});

describeCall('/account/delete', 'DELETE', (ask) => {
  test('deletes the account of the bearer, ends its login and takes the cookie away', async () => {
    const id = await openAccount('ola', { confirmed: false }, worldNow);
    const login = await logIn(id, worldNow);
    const { view, headers } = await ask({ headers: bearer(login) });
    expect([view, headers.getSetCookie()[0]]).toEqual([{ done: true }, expect.stringContaining('Max-Age=0')]);
    expect((await ask({ headers: bearer(login) })).status).toBe(401);
    const { rows } = await sql<{
      username: string;
      email: string | null;
    }>`select username, email from account where id = ${id}`.execute(database());
    expect(rows).toEqual([{ username: `former-tipster-${id}`, email: null }]);
  });
});

describeCall('/outbox/{mail}', 'GET', (ask) => {
  test('shows a mail as it looks, under a policy that lets nothing of it act, and no other', async () => {
    await putMail({ to: 'pam@example.org', subject: 'Look', text: 'Text.', html: '<p>Look.</p>' }, worldNow);
    const { rows } = await sql<{ id: number }>`select max(id) as id from mail_outbox`.execute(database());
    const { status, text, headers } = await ask({ params: { mail: String(rows[0]?.id) } });
    expect([status, text]).toEqual([200, '<p>Look.</p>']);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
    expect((await ask({ params: { mail: '999999' } })).status).toBe(404);
    expect((await ask({ params: { mail: 'x' } })).status).toBe(400);
    await inEnvironment(
      { NODE_ENV: 'production' },
      async () => void expect((await ask({ params: { mail: String(rows[0]?.id) } })).status).toBe(404),
    );
  });
});

describeCall('/outbox', 'GET', (ask) => {
  test('lists the mails that wait, the newest first', async () => {
    await putMail(
      { to: 'pam@example.org', subject: 'Hello', text: 'Text.', html: '<p>Text.</p>', headers: { 'X-Test': 'yes' } },
      worldNow,
    );
    const { view, headers } = await ask();
    expect((view as unknown[])[0]).toMatchObject({
      to: 'pam@example.org',
      subject: 'Hello',
      text: 'Text.',
      html: '<p>Text.</p>',
      headers: { 'X-Test': 'yes' },
      attempts: 0,
      createdAt: worldNow.toISOString(),
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('is missing in production unless it is opened on purpose', async () => {
    await inEnvironment(
      { NODE_ENV: 'production' },
      async () => void expect((await ask()).refusal).toEqual({ status: 404, message: 'Not Found' }),
    );
    await inEnvironment(
      { NODE_ENV: 'production', TIPLEDGER_OUTBOX: 'on' },
      async () => void expect((await ask()).status).toBe(200),
    );
  });
});

describeCall('/account/country', 'POST', (ask) => {
  const paris = { latitude: 48.8566, longitude: 2.3522 };

  test('is not there where no geocoder is configured', async () => {
    expect((await ask({ body: paris, headers: from() })).status).toBe(404);
  });

  test('asks the geocoder for a position of ten kilometres, and gives its country', async () => {
    const geocoder = await openGeocoder();
    await inEnvironment({ TIPLEDGER_GEOCODER: geocoder.template }, async () => {
      geocoder.answer(200, {
        results: [
          {
            address_components: [
              { short_name: '75001', types: ['postal_code'] },
              { short_name: 'FR', types: ['country', 'political'] },
            ],
          },
        ],
      });
      expect((await ask({ body: paris, headers: from() })).view).toEqual({ location: 'FR', found: true });
      geocoder.answer(200, { address: { country: 'Deutschland', country_code: 'de' } });
      expect((await ask({ body: { latitude: 52.52, longitude: 13.405 }, headers: from() })).view).toEqual({
        location: 'DE',
        found: true,
      });
    });
    expect(geocoder.asked).toEqual(['/reverse?lat=48.9&lon=2.4&key=secret', '/reverse?lat=52.5&lon=13.4&key=secret']);
    await geocoder.close();
  });

  test('falls back to the default country when the geocoder fails or names none', async () => {
    const geocoder = await openGeocoder();
    await inEnvironment({ TIPLEDGER_GEOCODER: geocoder.template }, async () => {
      for (const [status, answer] of [
        [500, {}],
        [200, 'no JSON'],
        [200, null],
        [200, { results: [] }],
        [200, { address: { country_code: 'zz' } }],
        [302, {}],
      ] as const) {
        geocoder.answer(status, answer);
        expect((await ask({ body: paris, headers: from() })).view).toEqual({ location: 'GB', found: false });
      }
    });
    await geocoder.close();
    await inEnvironment({ TIPLEDGER_GEOCODER: geocoder.template }, async () => {
      expect((await ask({ body: paris, headers: from() })).view).toEqual({ location: 'GB', found: false });
    });
  });

  test('takes no position that there is not', async () => {
    for (const body of [
      {},
      { latitude: 91, longitude: 0 },
      { latitude: 0, longitude: -181 },
      { latitude: '48', longitude: 2 },
    ]) {
      expect((await ask({ body, headers: from() })).status).toBe(400);
    }
  });
});
