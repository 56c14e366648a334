import { spawn } from 'node:child_process';
import { sql } from 'kysely';
import { createAccount } from '@/lib/accounts/commands';
import { member } from '@/lib/http/viewer';
import { setPlans } from '@/lib/memberships/commands';
import { listBookProblems } from '@/lib/money/queries';
import { database } from '@/lib/platform/database';
import { createPortfolio } from '@/lib/portfolios/commands';
import { CurrencyId, PortfolioVisibility, Role } from '@/lib/reference/schema';
import { type Benchmark, inWords, readWholeNumbers, say } from '../bench/benchmark';
import { onBenchDatabase } from '../bench/database';
import type { CrowdTally } from './crowd-instance';

const amountMinor = 2_000;

async function openShop(limit: number): Promise<string> {
  const at = new Date();
  const accountId = await createAccount({ username: 'crowded', demo: false }, at);
  const viewer = (owns: number[]) => member({ accountId, role: Role.user, pro: false, owns, subscribes: [] });
  const { id, reference } = await createPortfolio(
    viewer([]),
    { name: 'Crowded', visibility: PortfolioVisibility.premium },
    at,
  );
  const plans = [{ period: 'month' as const, onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor }] }];
  await setPlans(viewer([id]), reference, { mainCurrencyId: CurrencyId.GBP, memberLimit: limit, plans }, undefined, at);
  return reference;
}

async function openBuyers(count: number): Promise<{ first: number; last: number }> {
  const { rows } = await sql<{ first: number; last: number }>`
    with made as (insert into account (username, created_at) select 'buyer-' || number, now() from generate_series(1, ${count}::int) number returning id)
    select min(id) as first, max(id) as last from made
  `.execute(database());
  return rows[0] ?? { first: 0, last: -1 };
}

function runInstance(args: readonly string[]): Promise<CrowdTally> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/trials/crowd-instance.ts', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, LOG_LEVEL: 'silent' },
    });
    let text = '';
    child.stdout.on('data', (chunk) => (text += String(chunk)));
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve(JSON.parse(text) as CrowdTally) : reject(new Error(`An instance ended with ${code}.`)),
    );
  });
}

async function run(args: string[]): Promise<number> {
  const { buyers, limit, instances } = readWholeNumbers(args, {
    buyers: { least: 2, most: 100_000, fallback: 1_000 },
    limit: { least: 1, most: 100_000, fallback: 100 },
    instances: { least: 1, most: 4, fallback: 2 },
  });
  return onBenchDatabase(async () => {
    const portfolio = await openShop(limit);
    const { first } = await openBuyers(buyers);
    const each = Math.ceil(buyers / instances);
    const start = performance.now();
    const tallies = await Promise.all(
      Array.from({ length: instances }, (_, place) => {
        const from = first + place * each;
        return runInstance([portfolio, amountMinor, from, Math.min(first + buyers, from + each) - 1].map(String));
      }),
    );
    const seconds = (performance.now() - start) / 1000;
    const joined = tallies.reduce((sum, tally) => sum + tally.joined, 0);
    const refused = tallies.reduce(
      (sum, tally) => sum + Object.values(tally.refused).reduce((all, count) => all + count, 0),
      0,
    );
    const other = tallies.flatMap((tally) => tally.other);
    const { rows } = await sql<{ members: number; paid: number; taken: number }>`
      select (select count(*)::int from membership where ended_at is null and plan_id is not null) as members, (select count(*)::int from customer_order where status = 'paid') as paid,
        (select coalesce(sum(amount_minor), 0)::int from sandbox_payment where status = 'succeeded') as taken
    `.execute(database());
    const { members = 0, paid = 0, taken = 0 } = rows[0] ?? {};
    const problems = await listBookProblems();
    for (const problem of [...problems, ...new Set(other)]) say(problem);
    const expected = Math.min(limit, buyers);
    process.stdout.write(
      `${inWords(buyers)} buyers at ${instances} instances of a portfolio for ${inWords(limit)}: ${inWords(members)} members, ${inWords(paid)} orders paid, ${inWords(refused)} refused in ${seconds.toFixed(1)} s.\n`,
    );
    const holds =
      [members, joined, paid].every((count) => count === expected) &&
      refused === buyers - expected &&
      taken === expected * amountMinor &&
      other.length === 0 &&
      problems.length === 0;
    return holds ? 0 : 1;
  });
}

/** Product §8: more buyers than a portfolio takes, at several instances at once: it gets as many members as it takes, each pays once, and the others are told. */
export const crowd: Benchmark = {
  name: 'crowd',
  title: 'many buyers of a portfolio with a limit, by several instances at once',
  options: [
    '--buyers 1000     buyers',
    '--limit 100       members that the portfolio takes',
    '--instances 2     programs on one database',
  ],
  run,
};
