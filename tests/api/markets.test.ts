import { sql } from 'kysely';
import type { MarketsView } from '@/lib/fixtures/schema';
import { forget } from '@/lib/platform/cache';
import { transact } from '@/lib/platform/database';
import { defaultCountry } from '@/lib/reference/schema';
import { standAt } from '../support/clock';
import { asOwner, onTestDatabase } from '../support/database';
import { describeCall, hostileTexts } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();
beforeAll(() => standAt(worldNow));

const played = { reference: 'rovers-v-town-2026-03-07' };
const unpriced = { reference: 'city-v-rovers-2026-03-14' };

describeCall('/fixture/{reference}/markets', 'GET', (ask) => {
  const marketsOf = async (query: Record<string, string> = {}, params = played) => {
    const { status, view } = await ask({ params, query });
    expect(status).toBe(200);
    return view as MarketsView;
  };

  test('answers with every market, its selections and each bookmaker’s opening and closing odds', async () => {
    const view = await marketsOf();
    expect(
      view.markets.map(({ name, line, selections }) => [
        name,
        line,
        selections.map(({ name: selection }) => selection),
      ]),
    ).toEqual([
      ['Match result', null, ['Rovers', 'Draw', 'Town']],
      ['Over/under 2.5', 2.5, ['Over 2.5', 'Under 2.5']],
    ]);
    const home = view.markets[0]?.selections[0];
    const price = (oddsThousandths: number) => ({ oddsThousandths, fraction: null });
    const opened = { openedAt: '2026-03-06T15:00:00.000Z', pulled: false };
    expect(home?.odds).toEqual([
      {
        bookmakerId: 106,
        odds: 1.9,
        price: price(1900),
        opening: price(1900),
        closing: null,
        changedAt: '2026-03-06T15:00:00.000Z',
        ...opened,
      },
      {
        bookmakerId: 108,
        odds: 1.89,
        price: price(1890),
        opening: price(1950),
        closing: price(1890),
        changedAt: '2026-03-07T15:00:00.000Z',
        ...opened,
      },
      {
        bookmakerId: 101,
        odds: 1.85,
        price: price(1850),
        opening: price(1910),
        closing: price(1850),
        changedAt: '2026-03-07T15:00:00.000Z',
        ...opened,
      },
    ]);
    expect(home?.selectedOdds).toBe(1.9);
    expect(view.bookmakers.map(({ name }) => name).sort()).toEqual(['Coral', 'Pinnacle', 'bet365']);
    expect(view.empty).toBeNull();
  });

  test('answers with who wins alone when not all are asked for', async () => {
    expect((await marketsOf({ showAll: 'false' })).markets.map(({ kind }) => kind)).toEqual(['match-result']);
    expect(await marketsOf({ showAll: 'true', pinnacleOnly: 'false' })).toEqual(await marketsOf());
  });

  test('answers with Pinnacle alone when asked to, without the markets that it does not price', async () => {
    const view = await marketsOf({ pinnacleOnly: 'true' });
    expect(view.bookmakers.map(({ reference }) => reference)).toEqual(['pinnacle']);
    expect(view.markets.map(({ kind }) => kind)).toEqual(['match-result']);
    expect(view.markets[0]?.selections.map(({ odds }) => odds.length)).toEqual([1, 1, 1]);
  });

  test('obeys the country blocks of the purpose that is named, and of comparing odds unless one is', async () => {
    await transact(async () => {
      await asOwner(sql`update bookmaker set show_on_add_tips = false where id = 106`);
      await asOwner(sql`update bookmaker set add_tips_country_block = array[${defaultCountry.id}::int] where id = 108`);
      await forget(['bookmakers']);
    });
    const idsFor = async (query: Record<string, string>) =>
      (await marketsOf(query)).bookmakers.map(({ id }) => id).toSorted((a, b) => a - b);
    expect(await idsFor({})).toEqual([101, 106, 108]);
    expect(await idsFor({ purpose: 'markets' })).toEqual([101, 106, 108]);
    expect(await idsFor({ purpose: 'addTips' })).toEqual([101]);
    const { status, refusal } = await ask({ params: played, query: { purpose: 'tips' } });
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, ['purpose']]);
  });

  test('says in a sentence why there is nothing', async () => {
    expect(await marketsOf({}, unpriced)).toMatchObject({
      markets: [],
      bookmakers: [],
      empty: 'No bookmaker has a price for this fixture yet.',
    });
    expect(await marketsOf({ pinnacleOnly: 'true' }, { reference: 'athletic-v-wanderers-2026-03-10' })).toMatchObject({
      markets: [],
      empty: 'Pinnacle has no prices for this fixture.',
    });
  });

  test('answers 404 for a fixture that does not exist, whatever is asked of it', async () => {
    for (const query of ['', 'showAll=true', 'pinnacleOnly=true']) {
      expect((await ask({ params: { reference: 'nobody-v-noone-2026-03-07' }, query })).status).toBe(404);
    }
  });

  test.each(hostileTexts)('refuses %s as a reference', async (_, reference) => {
    const { status, refusal } = await ask({ params: { reference } });
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, ['reference']]);
  });

  describe.each(['showAll', 'pinnacleOnly'])('the parameter %s', (name) => {
    test.each([
      ...hostileTexts.map(([, text]) => text),
      'TRUE',
      'True',
      '1',
      '0',
      'yes',
      'null',
      'true ',
      '[true]',
      '{}',
    ])('refuses %j', async (text) => {
      const { status, refusal, text: body } = await ask({ params: played, query: { [name]: text } });
      expect([status, refusal?.fields]).toEqual([400, { [name]: 'must be true or false' }]);
      expect(body.length).toBeLessThan(500);
    });

    test('refuses to be given twice, even when both say the same', async () => {
      expect((await ask({ params: played, query: { [name]: ['true', 'true'] } })).refusal?.fields).toEqual({
        [name]: 'must be true or false',
      });
    });

    test('refuses nested spellings by not knowing them', async () => {
      expect((await ask({ params: played, query: { [`${name}[]`]: 'x', [`${name}.a`]: 'x' } })).status).toBe(200);
    });
  });

  test('names every field that is wrong at once', async () => {
    const { refusal } = await ask({ params: played, query: { showAll: '1', pinnacleOnly: '1' } });
    expect(Object.keys(refusal?.fields ?? {})).toEqual(['showAll', 'pinnacleOnly']);
  });

  test('answers 304 to who has the answer already, and 200 with another tag for another choice', async () => {
    const all = await ask({ params: played });
    const etag = all.headers.get('etag') ?? '';
    expect((await ask({ params: played, headers: { 'if-none-match': etag } })).status).toBe(304);
    const main = await ask({ params: played, query: { showAll: 'false' }, headers: { 'if-none-match': etag } });
    expect([main.status, main.headers.get('etag') === etag]).toEqual([200, false]);
  });
});
