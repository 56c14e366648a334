import { bearer, logIn, openAccount } from '../support/accounts';
import { athletic } from '../support/bets';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { type Ask, describeCall, hostileTexts } from '../support/request';
import { worldNow } from '../support/world';
import { watchFixture } from '@/lib/fixtures/commands';
import { readWatch } from '@/lib/fixtures/queries';
import { viewerOf } from '../support/accounts';

onTestDatabase();

const coming = { params: { reference: athletic } };
const played = { params: { reference: 'rovers-v-town-2026-03-07' } };
type Login = Awaited<ReturnType<typeof logIn>>;
let bob: Login;
let eve: Login;

beforeAll(async () => {
  standAt(worldNow);
  bob = await logIn(await openAccount('bob', {}, worldNow), worldNow);
  eve = await logIn(await openAccount('eve', {}, worldNow), worldNow);
});

const watches = async (login: Login) => readWatch(await viewerOf(login, worldNow), athletic);

function refusesOthers(ask: Ask): void {
  test('refuses a guest', async () => {
    expect((await ask(coming)).status).toBe(401);
  });

  test('answers 404 for a fixture that does not exist', async () => {
    const { status, refusal } = await ask({ params: { reference: 'nobody-v-noone-2026-03-07' }, headers: bearer(bob) });
    expect(status).toBe(404);
    expect(refusal?.message).toContain('Find one on the page of its sport.');
  });

  test.each(hostileTexts)('refuses %s as a reference and names the field', async (_, reference) => {
    const { status, refusal } = await ask({ params: { reference }, headers: bearer(bob) });
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, ['reference']]);
  });
}

describeCall('/user/fixture/{reference}/watch', 'PUT', (ask) => {
  test('keeps it for the member alone, and again as it is', async () => {
    for (let count = 0; count < 2; count += 1) {
      const { status, view } = await ask({ ...coming, headers: bearer(bob) });
      expect([status, view]).toEqual([200, { watching: true }]);
    }
    expect([await watches(bob), await watches(eve)]).toEqual([{ watching: true }, { watching: false }]);
  });

  test('refuses a fixture that is over and says so', async () => {
    const { status, refusal } = await ask({ ...played, headers: bearer(bob) });
    expect(status).toBe(409);
    expect(refusal?.message).toBe('This fixture is over: its result is on its page. Choose one that is to be played.');
  });

  refusesOthers(ask);
});

describeCall('/user/fixture/{reference}/watch', 'GET', (ask) => {
  test('says what the member asked for, kept by nobody', async () => {
    await watchFixture(await viewerOf(bob, worldNow), athletic, worldNow);
    const { view, headers } = await ask({ ...coming, headers: bearer(bob) });
    expect(view).toEqual({ watching: true });
    expect(headers.get('cache-control')).toContain('no-store');
    expect((await ask({ ...coming, headers: bearer(eve) })).view).toEqual({ watching: false });
    expect((await ask({ ...played, headers: bearer(bob) })).view).toEqual({ watching: false });
  });

  refusesOthers(ask);
});

describeCall('/user/fixture/{reference}/watch', 'DELETE', (ask) => {
  test('ends it for the member alone, and again does nothing', async () => {
    for (const login of [bob, eve]) await watchFixture(await viewerOf(login, worldNow), athletic, worldNow);
    for (let count = 0; count < 2; count += 1)
      expect((await ask({ ...coming, headers: bearer(bob) })).view).toEqual({ watching: false });
    expect([await watches(bob), await watches(eve)]).toEqual([{ watching: false }, { watching: true }]);
  });

  test('is done for a fixture that is over too', async () => {
    expect((await ask({ ...played, headers: bearer(bob) })).view).toEqual({ watching: false });
  });

  refusesOthers(ask);
});
