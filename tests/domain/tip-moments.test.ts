import { sql } from 'kysely';
import { guest } from '@/lib/http/viewer';
import { closeMarkets, importFixtures, reportLiveScores } from '@/lib/fixtures/commands';
import { database, transact } from '@/lib/platform/database';
import { forgetEverything } from '@/lib/platform/cache';
import { isFailure } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { decidedAt } from '@/lib/platform/moment';
import { openCommitments, signLedger } from '@/lib/record/commands';
import { exportLedger } from '@/lib/record/queries';
import { type LedgerReport, readLedger, verifyLedger } from '@/lib/record/rules';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { publishTip as publishNow } from '@/lib/tips/commands';
import { athletic, bet, runRace, onRunner, start } from '../support/bets';
import { onOwnConnection, onTestDatabase, undone } from '../support/database';
import { offer, openShop } from '../support/members';
import { placeBet, publishTip } from '../support/moments';
import { trialSize } from '../support/trial-size';
import { match, matchResult, worldNow } from '../support/world';

onTestDatabase();

/** Rounds around a start; TIPLEDGER_TRIALS asks for more. */
const rounds = trialSize('TIPLEDGER_TRIALS', 3);
const postsARound = 24;

async function* exportBytes(): AsyncGenerator<Uint8Array> {
  for await (const piece of await exportLedger(guest(), 'ndjson', null)) yield new TextEncoder().encode(piece);
}

async function verified(): Promise<LedgerReport> {
  forgetEverything();
  return verifyLedger(readLedger(exportBytes()));
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const homeTip = async (key: string, fixture = athletic) => ({
  idempotencyKey: key,
  legs: [await offer(fixture, 'match-result', 'home', 'bet365')],
  stakeHundredths: 100,
});

/** What can be known of a match before its start is over, each told by the command that its source uses or as staff would. */
const ends: [string, () => Promise<unknown>][] = [
  [
    'has a result',
    () =>
      importFixtures(
        [
          {
            line: 1,
            fixture: match('Athletic', 'Wanderers', start.toISOString(), {
              result: { home: 1, away: 0, halfTime: null },
            }),
          },
        ],
        'football-data',
        worldNow,
      ),
  ],
  [
    'has a result and still awaits one by its status',
    async () => {
      await sql`insert into fixture_result (fixture_id, version, home_score, away_score, source, recorded_at) select id, 1, 1, 0, 'football-data', ${worldNow} from fixture where reference = ${athletic}`.execute(
        database(),
      );
    },
  ],
  [
    'is asked for its result',
    () => sql`update fixture set status = 'pending' where reference = ${athletic}`.execute(database()),
  ],
  [
    'is closed',
    () => sql`update fixture set closed_at = ${worldNow} where reference = ${athletic}`.execute(database()),
  ],
  ['is off', () => sql`update fixture set off_at = ${worldNow} where reference = ${athletic}`.execute(database())],
  [
    'has a live score',
    () =>
      sql`insert into live_score (fixture_id, home_score, away_score, period, changed_at) select id, 1, 0, 'First half', ${worldNow} from fixture where reference = ${athletic}`.execute(
        database(),
      ),
  ],
];

describe('a fixture whose start lies ahead and that', () => {
  test.each(ends)('%s takes no tip, public or personal, and no bet', (_, end) =>
    undone(async () => {
      const shops = [
        await openShop('ann', { name: 'Ann Football' }, worldNow),
        await openShop('eve', { name: 'Eve alone', visibility: PortfolioVisibility.personal }, worldNow),
      ];
      const [tip, ownBet] = [await homeTip('one'), await bet()];
      await end();
      for (const { owner, reference } of shops) {
        await expect(publishTip(owner, reference, tip, worldNow)).rejects.toMatchObject({
          kind: 'conflict',
          message: expect.stringMatching(/^Athletic v Wanderers (has started|is under way or over)/) as string,
        });
        await expect(placeBet(owner, ownBet, 'one', worldNow)).rejects.toMatchObject({ kind: 'conflict' });
      }
    })(),
  );

  test(
    'went off, as a race does, takes no bet after that, and one before',
    undone(async () => {
      await runRace(worldNow);
      const { owner } = await openShop('ann', { name: 'Ann Racing' }, worldNow);
      const legs = [await onRunner('Tin Whistle')];
      await sql`update fixture set off_at = ${new Date(start.getTime() - 60_000)} where reference = 'ayr-2026-03-10-2000'`.execute(
        database(),
      );
      await expect(
        placeBet(owner, { legs, stakeMinor: 100 }, 'late', new Date(start.getTime() - 60_000)),
      ).rejects.toMatchObject({ kind: 'conflict' });
      await expect(
        placeBet(owner, { legs, stakeMinor: 100 }, 'early', new Date(start.getTime() - 60_001)),
      ).resolves.toMatchObject({ settlement: null });
    }),
  );

  test(
    'a source puts off after it has begun takes no tip until what became of it is said',
    undone(async () => {
      const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
      const tip = await homeTip('one');
      const begun = new Date(start.getTime() + 300_000);
      await closeMarkets(begun);
      expect(
        await reportLiveScores(
          [
            {
              fixtureReference: athletic,
              homeTeamScore: 0,
              awayTeamScore: 0,
              period: 'First half',
              clock: null,
              scores: [],
              ended: false,
            },
          ],
          begun,
        ),
      ).toEqual([athletic]);
      const nextWeek = new Date(start.getTime() + 3 * 86_400_000).toISOString();
      await importFixtures([{ line: 1, fixture: match('Athletic', 'Wanderers', nextWeek) }], 'football-data', begun);
      await expect(publishTip(owner, reference, tip, begun)).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringMatching(/^Athletic v Wanderers has started/) as string,
      });
    }),
  );
});

describe('while a tip is being published', () => {
  /** Locks what a publication locks on a connection of its own, and tells whether the write waits for it. */
  async function waitsForPublication(write: () => Promise<unknown>): Promise<boolean> {
    return onOwnConnection(async (client) => {
      await client.query('begin');
      await client.query('select 1 from fixture where reference = $1 for share', [athletic]);
      await client.query(
        `select 1 from price join selection on selection.id = selection_id join market on market.id = market_id join fixture on fixture.id = fixture_id where reference = $1 for share of price`,
        [athletic],
      );
      let done = false;
      const writing = write().then(() => (done = true));
      await pause(300);
      const waited = !done;
      await client.query('rollback');
      await writing;
      return waited;
    });
  }

  const writes: [string, () => Promise<unknown>][] = [
    [
      'its result',
      () =>
        importFixtures(
          [
            {
              line: 1,
              fixture: match('Athletic', 'Wanderers', start.toISOString(), {
                result: { home: 1, away: 0, halfTime: null },
              }),
            },
          ],
          'football-data',
          worldNow,
        ),
    ],
    [
      'another start',
      () =>
        importFixtures(
          [{ line: 1, fixture: match('Athletic', 'Wanderers', '2026-03-10T19:00:00.000Z') }],
          'football-data',
          worldNow,
        ),
    ],
    [
      'a live score',
      () =>
        reportLiveScores(
          [
            {
              fixtureReference: athletic,
              homeTeamScore: 0,
              awayTeamScore: 0,
              period: 'First half',
              clock: null,
              scores: [],
              ended: false,
            },
          ],
          new Date(start.getTime() + 1),
        ),
    ],
    [
      'another price',
      () =>
        importFixtures(
          [
            {
              line: 1,
              fixture: match('Athletic', 'Wanderers', start.toISOString(), {
                markets: [
                  matchResult('Athletic', 'Wanderers', '2026-03-10T11:00:00.000Z', { bet365: [1010, 3200, 3100] }),
                ],
              }),
            },
          ],
          'football-data',
          worldNow,
        ),
    ],
  ];

  test.each(writes)('%s of its fixture waits', async (_, write) => {
    const undo = new Error('undone');
    const tried = () =>
      transact(async () => {
        await write();
        throw undo;
      }).catch((error: unknown) => {
        if (error !== undo) throw error;
      });
    expect(await waitsForPublication(tried)).toBe(true);
  });

  test(
    'and waits for the end of the ledger, a price of a later moment counts once that moment has come',
    undone(async () => {
      const ann = await openShop('ann', { name: 'Ann Football' }, worldNow);
      const input = await homeTip('later');
      const shorterAt = new Date(worldNow.getTime() + 5_000);
      await importFixtures(
        [
          {
            line: 1,
            fixture: match('Athletic', 'Wanderers', start.toISOString(), {
              markets: [matchResult('Athletic', 'Wanderers', shorterAt.toISOString(), { bet365: [1010, 3200, 3100] })],
            }),
          },
        ],
        'football-data',
        shorterAt,
      );
      const turns =
        (...seconds: number[]) =>
        () =>
          new Date(worldNow.getTime() + 1000 * (seconds.length > 1 ? (seconds.shift() ?? 0) : (seconds[0] ?? 0)));
      await expect(decidedAt(turns(0, 10), () => publishNow(ann.owner, ann.reference, input))).rejects.toMatchObject({
        kind: 'conflict',
        details: { moved: [{ now: { oddsThousandths: 1010 } }] },
      });
      expect(await decidedAt(turns(0, 4), () => publishNow(ann.owner, ann.reference, input))).toMatchObject({
        publishedAt: new Date(worldNow.getTime() + 4_000).toISOString(),
      });
    }),
  );

  test('whoever is too late is told so without waiting for the end of the ledger', async () => {
    const late = await openShop('late-ann', { name: 'Late Ann' }, worldNow);
    const input = await homeTip('too-late');
    await onOwnConnection(async (client) => {
      await client.query('begin');
      await client.query('select 1 from ledger_head for update');
      await expect(publishTip(late.owner, late.reference, input, start)).rejects.toMatchObject({
        kind: 'conflict',
        fields: { 'legs.0.fixtureReference': 'has started' },
      });
      await client.query('rollback');
    });
  });

  test('the closing of markets leaves its fixture for the next run', async () => {
    const undo = new Error('undone');
    await onOwnConnection(async (client) => {
      await client.query('begin');
      await client.query('select 1 from fixture where reference = $1 for share', [athletic]);
      await transact(async () => {
        await closeMarkets(start);
        const { rows } = await sql<{
          closed: boolean;
        }>`select closed_at is not null as closed from fixture where reference = ${athletic}`.execute(database());
        expect(rows).toEqual([{ closed: false }]);
        throw undo;
      }).catch((error: unknown) => {
        if (error !== undo) throw error;
      });
      await client.query('rollback');
    });
  });
});

describe('by the clock of the database', () => {
  const present = async () =>
    (await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database())).rows[0]?.now ?? new Date(0);

  test('of tips sent a few milliseconds apart around a start, on two fixtures, none is accepted at or after its start, and the ledger verifies after each round', async () => {
    const shops = await Promise.all(
      ['una', 'ugo', 'ulf', 'uma'].map((name) => openShop(name, { name: `${name} around the start` }, worldNow)),
    );
    let [accepted, refused] = [0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const now = await present();
      const [soon, later] = [new Date(now.getTime() + 400), new Date(now.getTime() + 3_600_000)];
      const sides = [
        [`Soon${round}`, `Sooner${round}`, soon],
        [`Late${round}`, `Later${round}`, later],
      ] as const;
      await importFixtures(
        sides.map(([home, away, startsAt], index) => ({
          line: index + 1,
          fixture: match(home, away, startsAt.toISOString(), {
            markets: [
              matchResult(home, away, new Date(now.getTime() - 60_000).toISOString(), { bet365: [2000, 3000, 4000] }),
            ],
          }),
        })),
        'football-data',
        now,
      );
      const day = (at: Date) => at.toISOString().slice(0, 10);
      const tips = await Promise.all(
        sides.map(([home, away, startsAt]) => homeTip('', `${home}-v-${away}-${day(startsAt)}`.toLowerCase())),
      );
      const wait = soon.getTime() - (await present()).getTime() - (postsARound / 2) * 4;
      await pause(Math.max(0, wait));
      const posts = Array.from({ length: postsARound }, async (_, post) => {
        await pause(post * 4);
        const [{ owner, reference } = shops[0]!, tip = tips[0]!] = [shops[post % shops.length], tips[post % 2]];
        return publishNow(owner, reference, { ...tip, idempotencyKey: `${round}-${post}`, hidden: post % 3 === 0 });
      });
      for (const { status, reason } of (await Promise.allSettled(posts)) as { status: string; reason?: unknown }[]) {
        if (status === 'fulfilled') accepted += 1;
        else if (isFailure(reason, 'conflict')) refused += 1;
        else throw reason;
      }
      const { rows } = await sql<{
        late: number;
      }>`select count(*)::int as late from tip where published_at >= first_starts_at`.execute(database());
      expect(rows).toEqual([{ late: 0 }]);
      await openCommitments();
      await signLedger();
      expect(await verified()).toMatchObject({ ok: true, firstProblem: null });
    }
    expect(accepted).toBeGreaterThanOrEqual((rounds * postsARound) / 2);
    expect(accepted + refused).toBe(rounds * postsARound);
  });

  test('a clock that was set an hour ahead and back again records nothing in between, says so to staff, and goes on when it has caught up', async () => {
    const { owner, reference } = await openShop('vic', { name: 'Vic before and after' }, worldNow);
    const now = await present();
    const hourAhead = () => new Date(now.getTime() + 3_600_000);
    const startsAt = new Date(now.getTime() + 2 * 86_400_000);
    await importFixtures(
      [
        {
          line: 1,
          fixture: match('Ahead', 'Behind', startsAt.toISOString(), {
            markets: [
              matchResult('Ahead', 'Behind', new Date(now.getTime() - 60_000).toISOString(), {
                bet365: [2000, 3000, 4000],
              }),
            ],
          }),
        },
      ],
      'football-data',
      now,
    );
    const tip = await homeTip('', `ahead-v-behind-${startsAt.toISOString().slice(0, 10)}`);
    const sent = (key: string) => publishNow(owner, reference, { ...tip, idempotencyKey: key });
    const logged = jest.spyOn(log, 'error').mockImplementation(() => undefined);
    expect(await decidedAt(hourAhead, () => sent('ahead'))).toMatchObject({ publishedAt: hourAhead().toISOString() });
    for (const key of ['back', 'back', 'later'])
      await expect(sent(key)).rejects.toMatchObject({ kind: 'unavailable', status: 503 });
    await expect(signLedger()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(logged.mock.calls.map(([said]) => (said as unknown as { event: string }).event)).toEqual(
      Array.from({ length: 4 }, () => 'ledger_clock_behind'),
    );
    logged.mockRestore();
    expect(await verified()).toMatchObject({ ok: true });
    const caughtUp = () => new Date(hourAhead().getTime() + 1);
    await decidedAt(caughtUp, async () => {
      await sent('back');
      await signLedger();
    });
    expect(await verified()).toMatchObject({ ok: true, firstProblem: null });
  });
});
