import { sql } from 'kysely';
import {
  askForCode,
  changePassword,
  hashPassword,
  resendCode,
  sendAskedCodes,
  signIn,
  verifyCode,
  verifyGuid,
} from '@/lib/accounts/commands';
import { sendCode } from '@/lib/accounts/commands/sent-codes';
import { guest } from '@/lib/http/viewer';
import { database } from '@/lib/platform/database';
import { isFailure } from '@/lib/platform/errors';
import {
  callerFrom,
  codeMailedTo,
  logIn,
  newAddress,
  openAccount,
  otherCode,
  rightPassword,
  viewerOf,
} from '../support/accounts';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { worldNow } from '../support/world';

onTestDatabase();

const after = (seconds: number) => new Date(worldNow.getTime() + seconds * 1000);
const newPassword = 'seven green kettles';

const kindOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isFailure(error) ? error.kind : String(error)),
  );

async function newcomer(username: string): Promise<{ id: number; email: string; code: string }> {
  const id = await openAccount(username, { confirmed: false }, worldNow);
  const email = `${username}@example.org`;
  await sendCode({ id, username, email }, 'confirm', worldNow);
  return { id, email, code: await codeMailedTo(email) };
}

async function forgetful(username: string): Promise<{ id: number; email: string; code: string; guid: string }> {
  const id = await openAccount(username, {}, worldNow);
  const email = `${username}@example.org`;
  await askForCode(email, 'password', worldNow);
  await sendAskedCodes(worldNow);
  const { rows } = await sql<{
    text: string;
  }>`select text from mail_outbox where recipient = ${email} order by id desc limit 1`.execute(database());
  return {
    id,
    email,
    code: await codeMailedTo(email),
    guid: /guid=([0-9a-f-]{36})/.exec(rows[0]?.text ?? '')?.[1] ?? '',
  };
}

const mailsTo = async (email: string) =>
  (
    await sql<{ subject: string }>`select subject from mail_outbox where recipient = ${email} order by id`.execute(
      database(),
    )
  ).rows.map(({ subject }) => subject);

describe('the code of a new account', () => {
  test('confirms its address, once, in whatever letters the address is typed', async () => {
    const { id, email, code } = await newcomer('ann');
    expect(await verifyCode({ emailAddress: email.toUpperCase(), code }, worldNow)).toBe('confirm');
    const { rows } = await sql<{
      confirmed: boolean;
    }>`select email_confirmed as confirmed from account where id = ${id}`.execute(database());
    expect(rows[0]?.confirmed).toBe(true);
    expect(await mailsTo(email)).toEqual([
      expect.stringMatching(/^\d{6} is your Tipledger code$/),
      'Welcome to Tipledger',
    ]);
    expect(await kindOf(verifyCode({ emailAddress: email, code }, worldNow))).toBe('invalid');
  });

  test('holds for ten minutes', async () => {
    const { email, code } = await newcomer('ben');
    expect(await kindOf(verifyCode({ emailAddress: email, code }, after(600)))).toBe('invalid');
    expect(await kindOf(verifyCode({ emailAddress: email, code }, after(599)))).toBe('done');
  });

  test('is good in the fifth try and in no sixth', async () => {
    const [lucky, late] = [await newcomer('cat'), await newcomer('dan')];
    for (let tries = 0; tries < 4; tries += 1)
      expect(await kindOf(verifyCode({ emailAddress: lucky.email, code: otherCode(lucky.code) }, worldNow))).toBe(
        'invalid',
      );
    expect(await kindOf(verifyCode({ emailAddress: lucky.email, code: lucky.code }, worldNow))).toBe('done');
    for (let tries = 0; tries < 5; tries += 1)
      await kindOf(verifyCode({ emailAddress: late.email, code: otherCode(late.code) }, worldNow));
    expect(await kindOf(verifyCode({ emailAddress: late.email, code: late.code }, worldNow))).toBe('invalid');
  });

  test('has five tries also when many come at once', async () => {
    const { email, code } = await newcomer('eve');
    await Promise.all(
      Array.from({ length: 12 }, () => kindOf(verifyCode({ emailAddress: email, code: otherCode(code) }, worldNow))),
    );
    expect(await kindOf(verifyCode({ emailAddress: email, code }, worldNow))).toBe('invalid');
  });

  test('is burned by nobody else: whoever asked for it has five tries, however many others made', async () => {
    const id = await openAccount('ivy', { confirmed: false }, worldNow);
    const here = newAddress();
    await askForCode('ivy@example.org', 'confirm', worldNow, here);
    await sendAskedCodes(worldNow);
    const code = await codeMailedTo('ivy@example.org');
    const tried = (from: string, given: string) =>
      kindOf(verifyCode({ emailAddress: 'ivy@example.org', code: given }, worldNow, from));
    const elsewhere = newAddress();
    for (let tries = 0; tries < 5; tries += 1) expect(await tried(elsewhere, otherCode(code))).toBe('invalid');
    expect(await tried(elsewhere, code)).toBe('invalid');
    for (let tries = 0; tries < 60; tries += 1) await tried(newAddress(), otherCode(code));
    // All others together have had theirs.
    expect(await tried(newAddress(), code)).toBe('invalid');
    const { rows } = await sql<{
      tries: number;
    }>`select count(*)::int as tries from code_try where account_id = ${id}`.execute(database());
    expect(rows[0]?.tries).toBeLessThanOrEqual(52);
    for (let tries = 0; tries < 4; tries += 1) expect(await tried(here, otherCode(code))).toBe('invalid');
    expect(await tried(here, code)).toBe('done');
  });

  test('typed from elsewhere is taken while others have tries left', async () => {
    await openAccount('jil', { confirmed: false }, worldNow);
    await askForCode('jil@example.org', 'confirm', worldNow, newAddress());
    await sendAskedCodes(worldNow);
    expect(
      await kindOf(
        verifyCode(
          { emailAddress: 'jil@example.org', code: await codeMailedTo('jil@example.org') },
          worldNow,
          newAddress(),
        ),
      ),
    ).toBe('done');
  });

  test('is no other account’s, and none of an address without account', async () => {
    const [one, two] = [await newcomer('fay'), await newcomer('gus')];
    expect(
      await kindOf(
        verifyCode({ emailAddress: two.email, code: one.code === two.code ? otherCode(one.code) : one.code }, worldNow),
      ),
    ).toBe('invalid');
    expect(await kindOf(verifyCode({ emailAddress: 'nobody@example.org', code: one.code }, worldNow))).toBe('invalid');
  });

  test('is stored as nothing from which it can be read', async () => {
    const { id, code } = await newcomer('hal');
    const { rows } = await sql<{
      row: string;
    }>`select account_code::text as row from account_code where account_id = ${id}`.execute(database());
    expect(rows[0]?.row).toContain('$argon2id$');
    expect(rows[0]?.row).not.toContain(`,${code},`);
  });

  test('is told from the one for a new password, each by the one hash that a try takes', async () => {
    const { id, email, code } = await newcomer('two-codes');
    await sendCode({ id, username: 'two-codes', email }, 'password', after(1));
    const forPassword = await codeMailedTo(email);
    const { rows } = await sql<{
      salts: number;
    }>`select count(distinct split_part(code_hash, '$', 5))::int as salts from account_code where account_id = ${id}`.execute(
      database(),
    );
    expect(rows).toEqual([{ salts: 1 }]);
    expect(await verifyCode({ emailAddress: email, code: forPassword }, after(2))).toBe('password');
    if (forPassword !== code) expect(await verifyCode({ emailAddress: email, code }, after(3))).toBe('confirm');
  });

  test('with a salt of its own, as an older release stored it, is taken like any other', async () => {
    const { id, email, code } = await newcomer('older-release');
    await sql`update account_code set code_hash = ${await hashPassword(code)} where account_id = ${id}`.execute(
      database(),
    );
    expect(await verifyCode({ emailAddress: email, code: otherCode(code) }, after(1)).catch(() => 'refused')).toBe(
      'refused',
    );
    expect(await verifyCode({ emailAddress: email, code }, after(2))).toBe('confirm');
  });

  test('comes anew when it is asked for, the old one being good no more, and five times an hour', async () => {
    const { id, email, code } = await newcomer('ida');
    const viewer = await viewerOf(await logIn(id, worldNow), worldNow);
    await resendCode(viewer, undefined, worldNow);
    await sendAskedCodes(worldNow);
    const fresh = await codeMailedTo(email);
    if (fresh !== code) expect(await kindOf(verifyCode({ emailAddress: email, code }, worldNow))).toBe('invalid');
    expect(await kindOf(verifyCode({ emailAddress: email, code: fresh }, worldNow))).toBe('done');
    expect(await kindOf(resendCode(viewer, undefined, worldNow))).toBe('conflict');
    expect(await sendAskedCodes(worldNow)).toBe(0);
    const other = await newcomer('jon');
    for (let count = 0; count < 7; count += 1) {
      await askForCode(other.email, 'confirm', worldNow);
      await sendAskedCodes(worldNow);
    }
    expect((await mailsTo(other.email)).length).toBe(5);
  });

  test('is refused to the member to whom no other is sent this hour, in words that are so, and to nobody by address', async () => {
    const { id, email } = await newcomer('ivo');
    const viewer = await viewerOf(await logIn(id, worldNow), worldNow);
    const ask = async (seconds: number) => {
      const said = await resendCode(viewer, undefined, after(seconds)).then(
        () => 'done',
        (error: unknown) => (error as Error).message,
      );
      await sendAskedCodes(after(seconds));
      return said;
    };
    for (const second of [1, 2, 3, 4]) expect(await ask(second)).toBe('done');
    expect((await mailsTo(email)).length).toBe(5);
    expect(await ask(5)).toBe(
      '5 codes were asked for within an hour, so no other one is sent now. Enter the newest, or ask again in 60 minutes.',
    );
    expect(await ask(3_541)).toMatch(/in 1 minute\.$/);
    expect(await kindOf(resendCode(guest(), email, after(6)))).toBe('done');
    await sendAskedCodes(after(6));
    expect((await mailsTo(email)).length).toBe(5);
    expect(await ask(3_600)).toBe('done');
    expect((await mailsTo(email)).length).toBe(6);
    await sql`update account set email = null where id = ${id}`.execute(database());
    expect(await ask(3_601)).toBe('This e-mail address is not yours any more. Load the page again to see why.');
  });

  test('cannot be asked for by a guest who names no address', async () => {
    expect(await kindOf(resendCode(guest(), undefined, worldNow))).toBe('unauthorised');
    expect(await kindOf(resendCode(guest(), 'nobody@example.org', worldNow))).toBe('done');
    expect(await sendAskedCodes(worldNow)).toBe(1);
    expect(await mailsTo('nobody@example.org')).toEqual([]);
  });
});

describe('a forgotten password', () => {
  test('is replaced by the code, once, and every login of the account ends', async () => {
    const { id, email, code } = await forgetful('kim');
    const login = await logIn(id, worldNow);
    expect(await verifyCode({ emailAddress: email, code }, worldNow)).toBe('password');
    await changePassword({ emailAddress: email, code, newPassword }, worldNow);
    expect((await viewerOf(login, worldNow)).kind).toBe('guest');
    expect(await kindOf(signIn({ username: 'kim', password: rightPassword }, callerFrom(newAddress()), worldNow))).toBe(
      'unauthorised',
    );
    expect(await kindOf(signIn({ username: 'kim', password: newPassword }, callerFrom(newAddress()), worldNow))).toBe(
      'done',
    );
    expect(await kindOf(changePassword({ emailAddress: email, code, newPassword: 'nine red ladders' }, worldNow))).toBe(
      'invalid',
    );
    expect(await mailsTo(email)).toEqual([
      expect.stringMatching(/is your code for a new password$/),
      'Your Tipledger password was changed',
    ]);
  });

  test('is replaced by the link, once and within ten minutes', async () => {
    const { guid } = await forgetful('lou');
    expect(await kindOf(verifyGuid(guid, after(599)))).toBe('done');
    expect(await kindOf(verifyGuid(guid, after(600)))).toBe('invalid');
    expect(await kindOf(changePassword({ guid, newPassword }, worldNow))).toBe('done');
    expect([
      await kindOf(verifyGuid(guid, worldNow)),
      await kindOf(changePassword({ guid, newPassword }, worldNow)),
    ]).toEqual(['invalid', 'invalid']);
  });

  test('is not replaced by the link of an account whose address went to somebody else since', async () => {
    const { id, email } = await newcomer('len');
    await sendCode({ id, username: 'len', email }, 'password', worldNow);
    const { rows } = await sql<{
      text: string;
    }>`select text from mail_outbox where recipient = ${email} order by id desc limit 1`.execute(database());
    const guid = /guid=([0-9a-f-]{36})/.exec(rows[0]?.text ?? '')?.[1] ?? '';
    expect(await kindOf(verifyGuid(guid, worldNow))).toBe('done');
    await sql`update account set email = null where id = ${id}`.execute(database());
    expect([
      await kindOf(verifyGuid(guid, worldNow)),
      await kindOf(changePassword({ guid, newPassword }, worldNow)),
    ]).toEqual(['invalid', 'invalid']);
  });

  test('is replaced once also when two try at once', async () => {
    const { guid } = await forgetful('max');
    const both = await Promise.all([
      kindOf(changePassword({ guid, newPassword }, worldNow)),
      kindOf(changePassword({ guid, newPassword: 'nine red ladders' }, worldNow)),
    ]);
    expect(both.toSorted()).toEqual(['done', 'invalid']);
  });

  test('is not replaced by the code that confirms an address, nor by a guessed one, nor by a common password', async () => {
    const { id, email, code } = await newcomer('ned');
    expect(await kindOf(changePassword({ emailAddress: email, code, newPassword }, worldNow))).toBe('invalid');
    await sendCode({ id, username: 'ned', email }, 'password', worldNow);
    const right = await codeMailedTo(email);
    expect(await kindOf(changePassword({ emailAddress: email, code: otherCode(right), newPassword }, worldNow))).toBe(
      'invalid',
    );
    expect(
      await kindOf(changePassword({ emailAddress: email, code: right, newPassword: 'password1234' }, worldNow)),
    ).toBe('invalid');
    expect(await kindOf(changePassword({ emailAddress: email, code: right, newPassword }, worldNow))).toBe('done');
  });

  test('of an unknown address is taken like any other and sends nothing', async () => {
    await askForCode('stranger@example.org', 'password', worldNow);
    expect(await sendAskedCodes(worldNow)).toBe(1);
    expect(await mailsTo('stranger@example.org')).toEqual([]);
  });

  test('asked for many times at once brings one mail', async () => {
    const id = await openAccount('ola', {}, worldNow);
    expect(id).toBeGreaterThan(0);
    for (let count = 0; count < 6; count += 1) await askForCode('ola@example.org', 'password', worldNow);
    await Promise.all([sendAskedCodes(worldNow), sendAskedCodes(worldNow)]);
    expect((await mailsTo('ola@example.org')).length).toBe(1);
  });
});

test(
  'a request for a code that fails is told of and holds up no other',
  undone(async () => {
    for (const username of ['kim-fails', 'lou-waits']) {
      await openAccount(username, {}, worldNow);
      await askForCode(`${username}@example.org`, 'password', worldNow);
    }
    await asOwner(
      sql`alter table mail_outbox add constraint none_to_kim check (recipient <> 'kim-fails@example.org') not valid`,
    );
    await expect(sendAskedCodes(worldNow)).rejects.toThrow('none_to_kim');
    expect(await codeMailedTo('lou-waits@example.org')).toMatch(/^\d{6}$/);
    expect(await sendAskedCodes(worldNow)).toBe(0);
  }),
);
