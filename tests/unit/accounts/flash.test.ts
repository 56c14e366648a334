import { sessionCookies } from '@/lib/api/reply';
import { flashCookie, type FormFlash, readFlashCookie } from '@/lib/http/form-flash';
import { sessionCookieOf } from '@/lib/http/viewer-identity';

const flash: FormFlash = {
  call: '/auth/token',
  message: 'No, “ann”; not so.',
  fields: { password: 'Wrong; try again.' },
  values: { username: 'änn=;,"\r\n' },
};
const valueOf = (line: string) => line.split(';')[0]?.split('=')[1] ?? '';

describe('the cookie of a refused form', () => {
  test('brings back what it was given, for its own call alone', () => {
    const { call: _, ...said } = flash;
    expect(readFlashCookie(valueOf(flashCookie(flash)), ['/auth/token'])).toEqual(said);
    expect(readFlashCookie(valueOf(flashCookie(flash)), ['/account/register'])).toBeNull();
  });

  test('is one line of signs that a header takes, whatever was typed', () => {
    expect(flashCookie(flash)).toMatch(/^tipledger_form=[\w-]+; Path=\/; Max-Age=120; HttpOnly; SameSite=Lax$/);
  });

  test('keeps the message and leaves out what was typed when that is more than a browser keeps', () => {
    const line = flashCookie({ ...flash, values: { username: 'x'.repeat(9_000) } });
    expect(line.length).toBeLessThan(4_096);
    expect(readFlashCookie(valueOf(line), ['/auth/token'])).toEqual({ message: flash.message, fields: {}, values: {} });
  });

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const empty: [string, string | undefined][] = [
    ['that is not there', undefined],
    ['that is empty', ''],
    ['of no JSON', 'nothing'],
    ['of no base64', '%%%'],
    ['null', encoded(null)],
    ['of a list', encoded([])],
    ['without a message', encoded({ call: '/auth/token' })],
    ['whose message is no text', encoded({ call: '/auth/token', message: 7 })],
    ['that is too long', 'x'.repeat(5_000)],
  ];
  test.each(empty)('with a value %s says nothing', (_, value) => {
    expect(readFlashCookie(value, ['/auth/token'])).toBeNull();
  });

  test('hands on texts alone', () => {
    expect(
      readFlashCookie(encoded({ call: '/x', message: 'No.', fields: { a: 1, b: 'c' }, values: ['d'] }), ['/x']),
    ).toEqual({ message: 'No.', fields: { b: 'c' }, values: { 0: 'd' } });
  });
});

describe('the session cookie', () => {
  const read = (cookie: string) => sessionCookieOf(new Request('http://localhost/', { headers: { cookie } }));

  test('is found among others', () => {
    const value = 'a'.repeat(43);
    expect(read(`a=b; ${sessionCookies({ cookie: value })[0]?.split(';')[0]}; c=d`)).toBe(value);
  });

  test('is not seen in what is none', () => {
    const others = [
      '',
      'tipledger_session',
      'tipledger_session=',
      'xtipledger_session=abc',
      'tipledger_session=a b',
      'tipledger_session=<script>',
      `tipledger_session=${'a'.repeat(101)}`,
    ];
    expect(others.filter((cookie) => read(cookie) !== null)).toEqual([]);
  });
});
