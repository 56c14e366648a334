import { sql } from 'kysely';
import { guest } from '@/lib/http/viewer';
import { forgetEverything } from '@/lib/platform/cache';
import { exportLedger } from '@/lib/record/queries';
import { readLedger, verifyLedger } from '@/lib/record/rules';
import { RecordFold } from '@/lib/stats/rules';
import { compareSite, folded } from '@/scripts/verify/site';
import { standAt } from '../support/clock';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { fillFollowed, followedUntil } from '../support/followed';
import { fillRecord } from '../support/record';
import { doors, request } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();
beforeAll(async () => {
  standAt(followedUntil);
  await fillRecord();
  await fillFollowed({ name: 'bob', from: new Date(worldNow.getTime() + 24 * 3_600_000) });
});

/** The call at a path with its parameters; of several that fit, the one with the fewest. */
function callAt(pathname: string) {
  const parts = pathname.replace(/^\/api/, '').split('/');
  const fitting = Object.entries(doors).flatMap(([template, { GET: call }]) => {
    // One is named with a slash at its end and answered without it too.
    const named = template.replace(/\/$/, '').split('/');
    if (
      !call ||
      named.length !== parts.length ||
      !named.every((part, index) => part.startsWith('{') || part === parts[index])
    )
      return [];
    const params = Object.fromEntries(
      named.flatMap((part, index) => (part.startsWith('{') ? [[part.slice(1, -1), parts[index] ?? '']] : [])),
    );
    return [{ call, template, params }];
  });
  const [best] = fitting.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
  if (!best) throw new Error(`There is no call at ${pathname}.`);
  return best;
}

async function ask(path: string): Promise<unknown> {
  forgetEverything();
  const { pathname, search } = new URL(path, 'http://localhost');
  const { call, template, params } = callAt(pathname);
  const { status, view } = await request(call, template, { params, query: search.slice(1) });
  expect([200, 404]).toContain(status);
  return status === 404 ? null : view;
}

async function verified(): Promise<RecordFold> {
  const fold = new RecordFold();
  const report = await verifyLedger(folded(readLedger(exported()), fold));
  expect(report.firstProblem).toBeNull();
  return fold;
}

async function* exported(): AsyncGenerator<Uint8Array> {
  for await (const piece of await exportLedger(guest(), 'ndjson')) yield new TextEncoder().encode(piece);
}

describe('a site compared with its record', () => {
  test('agrees in every figure, those of followers, hidden tips and corrections included', async () => {
    const { ok, lines } = await compareSite(await verified(), { ask });
    expect(lines.filter((line) => line.startsWith('Differs'))).toEqual([]);
    expect(ok).toBe(true);
    expect(lines.at(-2)).toMatch(
      /^The site shows what the record says: statistics, months and breakdowns of 2 portfolios, \d\d tips, and the comparison\.$/,
    );
  });

  const tamperings: [how: string, statements: ReturnType<typeof sql>[], found: RegExp][] = [
    [
      'the rollup of a day',
      [
        sql`update portfolio_day_sport set rollup = jsonb_set(rollup, '{totals,advised,profitMicrounits}', '"572370000"') where sport_id = 0`,
      ],
      /^Differs: bob\S*, statistics, all time, advised\.profitHundredths: the site says \d+, the record -?\d+$/,
    ],
    [
      'followers’ figures of a day',
      [sql`update portfolio_day_sport set rollup = jsonb_set(rollup, '{followers,after15,stillThere}', '0')`],
      /^Differs: bob\S*, statistics, all time, followers\.after15\.stillThere: /,
    ],
    [
      'the months',
      [sql`update portfolio_day set breakdowns = jsonb_set(breakdowns, '{month}', '{}')`],
      /^Differs: bob\S*, months, /,
    ],
    [
      'a standing',
      [sql`update portfolio_standing set summary = jsonb_set(summary, '{totals,5}', '572370000')`],
      /^Differs: comparison, all time, bob\S*, advised\.profitHundredths: the site says 57237, /,
    ],
    [
      'a price of a published tip',
      [sql`update tip set publication = jsonb_set(publication, '{legs,0,price,oddsThousandths}', '9999')`],
      /^Differs: bob\S*, tip \w+, legs\.0\.price\.oddsThousandths: the site says 9999, /,
    ],
    [
      'a name in a published tip',
      [sql`update tip set publication = jsonb_set(publication, '{legs,0,details,fixtureName}', '"Other v Match"')`],
      /^Differs: bob\S*, tip \w+, legs\.0\.fixtureName: the site says "Other v Match", /,
    ],
    [
      'a least price',
      [
        sql`update tip set publication = jsonb_set(publication, '{minPrice}', '{"oddsThousandths": 1500, "fraction": null}')`,
      ],
      /^Differs: bob\S*, tip \w+, minPrice: the site says \{"oddsThousandths":1500,/,
    ],
    [
      'a lock on what the record has opened',
      [sql`update tip set first_starts_at = first_starts_at + interval '10 years' where hidden`],
      /^Differs: bob\S*, tip \w+, lock: the site says "hidden", the record null$/,
    ],
    [
      'an analysis',
      [sql`update tip set analysis = 'I said so.'`],
      /^Differs: bob\S*, tip \w+, SHA-256 of the analysis: /,
    ],
    [
      'a settlement’s profit',
      [sql`update tip_settlement set profit_microunits = profit_microunits + 50000000`],
      /^Differs: bob\S*, tip \w+, settlements\.0\.profitHundredths: /,
    ],
    [
      'a sealed followers’ price',
      [
        sql`update tip_settlement set facts = jsonb_set(facts, '{0,followers,after15}', '{"oddsThousandths": 9000, "fraction": null}')`,
      ],
      /^Differs: bob\S*, tip \w+, followers\.1\./,
    ],
    [
      'a tip of its own making',
      [
        sql`insert into tip (reference, portfolio_id, idempotency_key, request_hash, published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis, publication)
      select 'foreigntip', portfolio_id, 'foreign', '', published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis, publication from tip where not hidden order by id desc limit 1`,
        sql`insert into tip_leg select (select max(id) from tip), position, fixture_id, market_id, selection_id, bookmaker_id, odds_thousandths, numerator, denominator, price_at, starts_at from tip_leg where tip_id = (select max(id) from tip where not hidden and id < (select max(id) from tip))`,
      ],
      /^Differs: bob\S*, tip foreigntip: the site says "a tip", the record null$/,
    ],
  ];

  test.each(tamperings)('is found to differ by %s', (_, statements, found) =>
    undone(async () => {
      const fold = await verified();
      for (const statement of statements)
        await asOwner(statement, {
          unguarded: ['tip', 'tip_leg', 'tip_settlement', 'portfolio_day', 'portfolio_day_sport', 'portfolio_standing'],
        });
      const { ok, lines } = await compareSite(fold, { ask });
      expect(ok).toBe(false);
      expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(found)]));
    })(),
  );
});
