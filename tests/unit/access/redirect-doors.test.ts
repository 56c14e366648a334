import { doors as calls } from '../../support/request';
import { safeRedirect } from '@/lib/access/rules';
import { payloads, safe } from '../../support/redirect-payloads';

const site = 'https://tipledger.example';
const parameters = ['redirect_to', 'redirect_after_verify'] as const;

const doors = Object.entries(calls).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, call]) =>
    call.declaration.form ? [{ name: `${method} ${path}`, form: call.declaration.form }] : [],
  ),
);

/** Where a browser ends that is sent there, and where it is sent on from that page. */
function endsOf(address: string): string[] {
  const url = new URL(address, `${site}/api/x`);
  return [
    url.href,
    ...parameters.flatMap((name) => url.searchParams.getAll(name)).map((next) => new URL(next, site).href),
  ];
}

const doorOf = (name: string) => doors.find((door) => door.name === name)?.form;

test('the forms are found', () => {
  expect(doors.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'POST /auth/token',
      'POST /account/register',
      'POST /account/verify-code',
      'POST /account/resend-code',
      'POST /auth/logout',
    ]),
  );
});

test.each(doors)(
  '$name leads nowhere but to this site, taken or refused, whatever its redirect parameters say',
  ({ form }) => {
    const guid = '00000000-0000-4000-8000-000000000000';
    const elsewhere = [...payloads].filter((payload) =>
      [form.next, form.page].some((lead) => {
        const address = lead({ redirect_to: payload, redirect_after_verify: payload, guid });
        const [end = '', ...later] = endsOf(address);
        return (
          safeRedirect(address) !== address ||
          !end.startsWith(`${site}/`) ||
          later.some((next) => next !== `${site}/dashboard`)
        );
      }),
    );
    expect(elsewhere).toEqual([]);
  },
);

test.each(safe)('the forms lead on to %s', (path) => {
  expect(doorOf('POST /auth/token')?.next({ redirect_to: path })).toBe(path);
  expect(doorOf('POST /account/verify-code')?.next({ redirect_after_verify: path })).toBe(path);
  expect(endsOf(doorOf('POST /account/register')?.next({ redirect_to: path }) ?? '')[1]).toBe(`${site}${path}`);
  expect(endsOf(doorOf('POST /account/resend-code')?.page({ redirect_after_verify: path }) ?? '')[1]).toBe(
    `${site}${path}`,
  );
});
