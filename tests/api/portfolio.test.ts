import { importFixtures } from '@/lib/fixtures/commands';
import { getFixtureDetail } from '@/lib/fixtures/queries';
import { guest } from '@/lib/http/viewer';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { breakdownKinds } from '@/lib/stats/schema';
import type { TipAnswer, TipView } from '@/lib/tips/schema';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { offer, openShop } from '../support/members';
import { openCommitments, publishTip, settleDueTips } from '../support/moments';
import { type Ask, describeCall, hostileTexts } from '../support/request';
import { match, worldNow } from '../support/world';

onTestDatabase();

const reference = 'ann-football';
const later = new Date('2026-03-11T12:00:00.000Z');
const tips = { settled: '', hidden: '' };

beforeAll(async () => {
  standAt(worldNow);
  const ann = await openShop('ann', { name: 'Ann Football', description: 'Football, one unit.' }, worldNow);
  await openShop('eve', { name: 'Eve alone', visibility: PortfolioVisibility.personal }, worldNow);
  const leg = await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365');
  const tip = { legs: [leg], stakeHundredths: 100, analysis: 'Strong at home.' };
  tips.settled = (await publishTip(ann.owner, reference, { ...tip, idempotencyKey: 'a' }, worldNow)).reference;
  tips.hidden = (
    await publishTip(
      ann.owner,
      reference,
      { ...tip, idempotencyKey: 'b', hidden: true, analysis: 'Nobody may read this yet.' },
      worldNow,
    )
  ).reference;
  await importFixtures(
    [
      {
        line: 2,
        fixture: match('Athletic', 'Wanderers', '2026-03-10T20:00:00.000Z', {
          result: { home: 2, away: 0, halfTime: null },
        }),
      },
    ],
    'football-data',
    later,
  );
  await settleDueTips(later, { batchSize: 1, seconds: 0 });
  standAt(later);
});

/** What holds for every call about one portfolio: unknown and personal ones are missing alike, and a hostile reference is refused. */
function isAboutAPortfolio(ask: Ask, more: Record<string, string> = {}): void {
  test.each(['nobody', 'eve-alone'])('says that %s is missing', async (name) => {
    const { status, refusal } = await ask({ params: { reference: name, ...more } });
    expect([status, refusal?.message]).toEqual([
      404,
      'Not Found. There is no such portfolio. Find one in the list of tipsters.',
    ]);
  });

  test.each(hostileTexts.map(([, text]) => text).filter((text) => text !== ''))(
    'refuses %j as a reference',
    async (text) => {
      expect([400, 404]).toContain((await ask({ params: { reference: text, ...more } })).status);
    },
  );
}

describeCall('/portfolio', 'GET', (ask) => {
  test('compares portfolios that have enough tips', async () => {
    const query = { sportId: '1', tips: '1', portfolioType: '0', period: '6' };
    expect((await ask({ query })).view).toMatchObject({
      total: 1,
      items: [{ reference, statistics: { tips: 1, won: 1, tooFew: true } }],
    });
    expect((await ask({})).view).toMatchObject({ total: 0, items: [] });
  });

  test.each(['sportId', 'tips', 'period', 'order', 'page', 'minOdds'])(
    'refuses a wrong %s and names it',
    async (name) => {
      const { status, refusal } = await ask({ query: { [name]: '-1' } });
      expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, [name]]);
    },
  );
});

describeCall('/portfolio/recommended', 'GET', (ask) => {
  test('recommends nobody with too few tips', async () => {
    expect((await ask({ query: { sportId: '1' } })).view).toEqual({ items: [] });
  });

  test('refuses a sport that is not on offer', async () => {
    expect((await ask({ query: { sportId: '7' } })).status).toBe(400);
  });
});

describeCall('/portfolio/most-popular', 'GET', (ask) => {
  test('lists portfolios with a record', async () => {
    expect((await ask({})).view).toMatchObject({ items: [{ reference, followers: 0 }] });
  });
});

describeCall('/portfolio/{reference}', 'GET', (ask) => {
  isAboutAPortfolio(ask);

  test('gives the portfolio with its statistics, and none of a sport without tips', async () => {
    const params = { reference };
    expect((await ask({ params })).view).toMatchObject({
      name: 'Ann Football',
      type: 1,
      statistics: { tips: 1, advised: { profitHundredths: 150 } },
    });
    expect((await ask({ params, query: { sport: '2' } })).view).toMatchObject({ statistics: { tips: 0 } });
    expect((await ask({ params, query: { period: '9' } })).status).toBe(400);
  });
});

describeCall('/portfolio/{reference}/description', 'GET', (ask) => {
  isAboutAPortfolio(ask);

  test('gives the description', async () => {
    expect((await ask({ params: { reference } })).view).toEqual({ description: 'Football, one unit.' });
  });
});

describeCall('/portfolio/{reference}/tips', 'GET', (ask) => {
  isAboutAPortfolio(ask);

  test('lists every tip, and refuses a wrong skip', async () => {
    const { view } = await ask({ params: { reference } });
    expect((view as { items: TipView[] }).items.map((tip) => tip.reference).toSorted()).toEqual(
      Object.values(tips).toSorted(),
    );
    expect((await ask({ params: { reference }, query: { skip: '2' } })).view).toEqual({ items: [], next: null });
    expect((await ask({ params: { reference }, query: { skip: '-1' } })).status).toBe(400);
  });
});

describeCall('/portfolio/{reference}/tips/recent', 'GET', (ask) => {
  isAboutAPortfolio(ask);

  test('lists the tips that wait for a result', async () => {
    expect((await ask({ params: { reference } })).view).toMatchObject({
      items: [{ reference: tips.hidden, settlements: [] }],
    });
  });
});

describeCall('/portfolio/{reference}/tips/completed', 'GET', (ask) => {
  isAboutAPortfolio(ask);

  test('lists the settled tips', async () => {
    expect((await ask({ params: { reference } })).view).toMatchObject({
      items: [{ reference: tips.settled, settlements: [{ outcome: 'won', profitHundredths: 150 }] }],
    });
  });
});

function isOneTip(ask: Ask): void {
  isAboutAPortfolio(ask, { tip: 'abcdefghjk' });

  test('gives a settled tip with its rule', async () => {
    expect((await ask({ params: { reference, tip: tips.settled } })).view).toMatchObject({
      lock: null,
      analysis: 'Strong at home.',
      legs: [{ outcome: 'won', finalScore: '2–0' }],
      tipBetItem: [
        {
          fixtureReference: 'athletic-v-wanderers-2026-03-10',
          fixture: { reference: 'athletic-v-wanderers-2026-03-10', name: 'Athletic v Wanderers', finalScore: '2–0' },
        },
      ],
    });
  });

  test('names the fixture with its league and its score, as the call of the fixture does', async () => {
    const { view } = await ask({ params: { reference, tip: tips.settled } });
    const [item] = (view as TipAnswer).tipBetItem;
    const { league, score } = await getFixtureDetail(guest(), item?.fixtureReference ?? '', later);
    expect(item?.fixture.league).toEqual({ name: league.name, sportId: 1 });
    expect(league).toMatchObject({ name: league.name, sportId: 1 });
    expect(item?.fixture.score).toEqual({ status: score.status, finalScore: score.finalScore });
    expect(score.finalScore).toEqual({ displayName: '2–0', homeTeamScore: 2, awayTeamScore: 0 });
  });

  test('gives a guest nothing of a hidden tip before its start', async () => {
    standAt(worldNow);
    const { text, view } = await ask({ params: { reference, tip: tips.hidden } });
    standAt(later);
    expect(view).toMatchObject({ lock: 'hidden', legs: [], tipBetItem: [], analysis: null });
    expect(text).not.toMatch(/Nobody may read|Athletic|bet365/);
  });

  test('says that an unknown tip is missing', async () => {
    expect((await ask({ params: { reference, tip: 'abcdefghjk' } })).status).toBe(404);
  });
}

describeCall('/portfolio/{reference}/tips/{tip}', 'GET', isOneTip);
describeCall('/portfolio/{reference}/tips/cached/{tip}', 'GET', isOneTip);

describeCall('/portfolio/{reference}/stats/recent-form', 'GET', (ask) => {
  isAboutAPortfolio(ask);

  test('gives the last tips in letters', async () => {
    await openCommitments(later);
    expect((await ask({ params: { reference } })).view).toMatchObject({ letters: 'W' });
  });
});

describeCall('/portfolio/{reference}/stats/month-overview/', 'GET', (ask) => {
  isAboutAPortfolio(ask);

  test('gives the years and months', async () => {
    expect((await ask({ params: { reference } })).view).toMatchObject({ years: [{ year: 2026, total: { tips: 1 } }] });
  });
});

describeCall('/portfolio/{reference}/stats/{kind}/{period}', 'GET', (ask) => {
  isAboutAPortfolio(ask, { kind: 'sport', period: '6' });

  test.each(breakdownKinds)('breaks the record down by %s, adding up to the whole', async (kind) => {
    const { view } = await ask({ params: { reference, kind, period: '6' } });
    expect((view as { rows: { tips: number }[] }).rows.reduce((sum, row) => sum + row.tips, 0)).toBe(1);
  });

  test('refuses an unknown breakdown or time range', async () => {
    expect((await ask({ params: { reference, kind: 'colour', period: '6' } })).status).toBe(400);
    expect((await ask({ params: { reference, kind: 'sport', period: '7' } })).status).toBe(400);
  });
});
