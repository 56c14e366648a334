import { sql } from 'kysely';
import * as addTip from '@/app/api/user/portfolio/[reference]/tips/add-tip/route';
import * as markets from '@/app/api/fixture/[reference]/markets/route';
import type { IssuedSession } from '@/lib/accounts/schema';
import { importFixtures } from '@/lib/fixtures/commands';
import { marketKinds, type MarketsView, type QuoteView } from '@/lib/fixtures/schema';
import { database } from '@/lib/platform/database';
import { createPortfolio } from '@/lib/portfolios/commands';
import { getTip } from '@/lib/tips/queries';
import { bearer, logIn, openAccount, viewerOf } from '../support/accounts';
import { addTipsFixtures, tippedNames } from '../support/add-tips-world';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { request } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

// Sixty tips a minute are taken from one member.
const aMinute = 50;

let login: IssuedSession;

beforeAll(async () => {
  standAt(worldNow);
  login = await logIn(await openAccount('ann', {}, worldNow), worldNow);
  await createPortfolio(await viewerOf(login, worldNow), { name: 'Ann Takes All' }, worldNow);
  const fixtures = Object.values(addTipsFixtures(worldNow));
  const { rejections } = await importFixtures(
    fixtures.map((fixture, index) => ({ line: index + 1, fixture })),
    'football-data',
    worldNow,
  );
  expect(rejections).toEqual([]);
});

/** What the desk is told to be on offer on a fixture: each selection with one of its prices, now this bookmaker's, now that one's. */
async function offersOn(
  reference: string,
): Promise<{ kind: string; fixtureReference: string; selectionId: number; quote: QuoteView; bookmakerName: string }[]> {
  const { view } = await request(markets.GET, '/fixture/{reference}/markets', {
    params: { reference },
    query: 'showAll=true&pinnacleOnly=false&purpose=addTips',
    headers: bearer(login),
  });
  const told = view as MarketsView;
  return told.markets.flatMap(({ kind, selections }) =>
    selections.flatMap((selection, place) => {
      if (selection.withdrawn) return [];
      const quote = selection.odds[place % selection.odds.length] as QuoteView;
      const bookmakerName = told.bookmakers.find(({ id }) => id === quote.bookmakerId)?.name ?? '';
      return { kind, fixtureReference: reference, selectionId: selection.id, quote, bookmakerName };
    }),
  );
}

test('each selection that the desk is told of is taken at the price shown, and stored as it was sent, in every kind of market', async () => {
  const { rows } = await sql<{
    reference: string;
  }>`select reference from fixture where name = any(${Object.values(tippedNames)}::text[])`.execute(database());
  const offers = (await Promise.all(rows.map(({ reference }) => offersOn(reference)))).flat();
  expect([...new Set(offers.map(({ kind }) => kind))].toSorted()).toEqual(marketKinds.toSorted());
  expect(offers.length).toBeGreaterThan(160);
  expect(new Set(offers.map(({ bookmakerName }) => bookmakerName)).size).toBe(3);
  for (const [place, { fixtureReference, selectionId, quote, bookmakerName }] of offers.entries()) {
    const now = new Date(worldNow.getTime() + Math.floor(place / aMinute) * 60_000);
    standAt(now);
    const body = {
      legs: [
        { fixtureReference, selectionId, bookmakerId: quote.bookmakerId, oddsThousandths: quote.price.oddsThousandths },
      ],
      stakeHundredths: 100,
    };
    const { status, view } = await request(
      addTip.POST,
      '/user/portfolio/{reference}/tips/add-tip',
      {
        params: { reference: 'ann-takes-all' },
        body,
        headers: { ...bearer(login), 'idempotency-key': `selection-${selectionId}` },
      },
      'POST',
    );
    expect([status, selectionId]).toEqual([201, selectionId]);
    const { legs } = await getTip(
      await viewerOf(login, now),
      'ann-takes-all',
      (view as { reference: string }).reference,
      now,
    );
    expect(legs).toEqual([
      expect.objectContaining({ fixtureReference, selectionId, bookmakerName, price: quote.price }),
    ]);
  }
});
