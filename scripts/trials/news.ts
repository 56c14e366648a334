import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { noteEvents } from '@/lib/events/commands';
import { database, transact } from '@/lib/platform/database';
import { openSmtpSink, type SmtpSink } from '../../tests/support/smtp-sink';
import { type Benchmark, inWords, readWholeNumbers, say } from '../bench/benchmark';
import { onBenchDatabase } from '../bench/database';

const instances = 2;
/** Mails that are under way in an instance, which may come again once it was killed. */
const underWay = 16;
const patienceMilliseconds = 240_000;

async function startInstance(smtp: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/trials/news-instance.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, SMTP_URL: smtp, LOG_LEVEL: 'fatal' },
  });
  await once(child.stdout, 'data');
  return child;
}

async function endInstance(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

async function fill(followers: number): Promise<number> {
  await sql`insert into account (username, created_at) values ('tipster', now())`.execute(database());
  const { rows } = await sql<{ id: number }>`
    insert into portfolio (reference, owner_id, name, visibility, created_at) select 'told', id, 'Told', 1, now() from account returning id
  `.execute(database());
  const portfolioId = rows[0]?.id ?? 0;
  await sql`
    with made as (
      insert into account (username, email, email_confirmed, created_at) select 'reader-' || n, 'reader-' || n || '@example.org', true, now() from generate_series(1, ${followers}::int) n returning id)
    insert into follow (account_id, portfolio_id, max_stake_hundredths, created_at) select id, ${portfolioId}, 100, now() from made
  `.execute(database());
  return portfolioId;
}

async function publish(portfolioId: number, round: number): Promise<void> {
  await transact(async () => {
    const { rows } = await sql<{ id: number; at: Date }>`
      insert into post (reference, portfolio_id, idempotency_key, request_hash, title, body, premium_only, published_at)
      values (${`round${String(round)
        .padStart(5, '0')
        .replace(
          /\d/g,
          (digit) => 'abcdefghij'[Number(digit)] ?? '',
        )}`}, ${portfolioId}, ${`round-${round}`}, repeat('0', 64), ${`Round ${round}`}, 'For everybody who follows.', false, now())
      returning id, published_at as at
    `.execute(database());
    const [post] = rows;
    if (post) await noteEvents([{ kind: 'post', key: `round-${round}`, at: post.at, portfolioId, postId: post.id }]);
  });
}

/** What is not passed on or sent yet. */
async function left(): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    select ((select count(*) from event_spread) + (select count(*) from delivery where state = 'waiting') + (select count(*) from mail_outbox))::int as left
  `.execute(database());
  return rows[0]?.left ?? 0;
}

/** Waits until mails arrive again, so that a kill comes while there is work. */
async function untilUnderWay({ mails }: SmtpSink): Promise<void> {
  const [before, start] = [mails.length, performance.now()];
  while (mails.length === before && performance.now() - start < patienceMilliseconds) await sleep(20);
}

/** Lets the jobs go on at once, also those of the instance that lives: they may be done by two at a time. */
const endLeases = () => sql`update job_run set leased_until = null`.execute(database());

async function untilAllHeard(): Promise<number> {
  const start = performance.now();
  while ((await left()) > 0 && performance.now() - start < patienceMilliseconds) await sleep(250);
  return (performance.now() - start) / 1000;
}

const header = (message: string, name: string) => new RegExp(`^${name}: (.*)\\r$`, 'm').exec(message)?.[1] ?? '';

/** What is wrong with what was heard, in sentences, and how many mails came again. */
async function judge(
  { mails }: SmtpSink,
  followers: number,
  rounds: number,
): Promise<{ wrong: string[]; again: number }> {
  const { rows } = await sql<{ listed: number; people: number }>`
    select count(*)::int as listed, count(distinct (event_id, account_id))::int as people from delivery where channel = 'app'
  `.execute(database());
  const { listed = 0, people = 0 } = rows[0] ?? {};
  const expected = followers * rounds;
  const heard = new Map<string, Set<string>>();
  for (const { to, message } of mails) {
    const what = `${to.join()} ${header(message, 'Subject')}`;
    heard.set(what, (heard.get(what) ?? new Set()).add(header(message, 'Message-ID')));
  }
  const doubled = [...heard.values()].filter((ids) => ids.size > 1).length;
  const again = mails.length - [...heard.values()].reduce((sum, ids) => sum + ids.size, 0);
  return {
    again,
    wrong: [
      ...(listed === expected && people === expected
        ? []
        : [`${inWords(expected)} were to be in lists, and ${inWords(listed)} are, for ${inWords(people)}.`]),
      ...(heard.size === expected
        ? []
        : [`${inWords(expected)} were to be told by mail, and ${inWords(heard.size)} were.`]),
      ...(doubled === 0 ? [] : [`${inWords(doubled)} got two mails of one thing.`]),
      ...(again <= underWay * rounds ? [] : [`${inWords(again)} mails came again, more than can be under way.`]),
    ],
  };
}

async function run(args: string[]): Promise<number> {
  const [count, ...rest] = args;
  const isCount = count !== undefined && /^\d+$/.test(count);
  const { kills, followers } = readWholeNumbers(isCount ? ['--kills', count, ...rest] : args, {
    kills: { least: 1, most: 1_000, fallback: 5 },
    followers: { least: 1, most: 100_000, fallback: 1_000 },
  });
  return onBenchDatabase(async () => {
    const portfolioId = await fill(followers);
    const sink = await openSmtpSink();
    const children = await Promise.all(Array.from({ length: instances }, () => startInstance(sink.url)));
    try {
      for (let round = 1; round <= kills; round += 1) {
        await publish(portfolioId, round);
        await untilUnderWay(sink);
        await sleep(randomInt(1_500));
        const place = randomInt(instances);
        const victim = children[place];
        const before = await left();
        if (victim) await endInstance(victim);
        await endLeases();
        say(`Kill ${round}: instance ${place + 1}, with ${inWords(before)} things left to do`);
        children[place] = await startInstance(sink.url);
      }
      const seconds = await untilAllHeard();
      const { wrong, again } = await judge(sink, followers, kills);
      process.stdout.write(
        `${inWords(kills)} kills of ${instances} instances, ${inWords(kills * followers)} people to tell: ${wrong.length} problems; the last were told ${seconds.toFixed(1)} s after the last kill; ${inWords(again)} mails came again under their own Message-ID.\n`,
      );
      for (const line of wrong) process.stdout.write(`  ${line}\n`);
      return wrong.length === 0 ? 0 : 1;
    } finally {
      await Promise.all(children.map(endInstance));
      await sink.close();
    }
  });
}

/** Instances that pass news on and are killed meanwhile: everybody hears of each thing once, in the list and by mail. */
export const news: Benchmark = {
  name: 'news',
  title: 'news of two instances that are killed at random moments: everybody hears once, in the list and by mail',
  options: ['<number>            how many kills (5)', '--followers <number> how many are to hear of each (1000)'],
  run,
};
