import { sql } from 'kysely';
import type { KnownMember } from '@/lib/accounts/queries';
import { noteEvents } from '@/lib/events/commands';
import { member } from '@/lib/http/viewer';
import { offeredChannels, sendDueNews, spreadNews } from '@/lib/notifications/commands';
import { database, transact } from '@/lib/platform/database';
import { sendDueMails } from '@/lib/platform/mail';
import { openSmtpSink } from '../../tests/support/smtp-sink';
import { type Benchmark, inWords, readWholeNumbers, table } from './benchmark';
import { onBenchDatabase } from './database';
import { benchNow } from './settled-tips';

const viewerOf = ({ countryId, ...membership }: KnownMember) => member(membership, countryId);
const endless = 3_600;

async function fill(followers: number): Promise<number> {
  await sql`insert into account (username, created_at) values ('tipster', ${benchNow})`.execute(database());
  const { rows } = await sql<{ id: number }>`
    insert into portfolio (reference, owner_id, name, visibility, created_at) select 'bench', id, 'Bench', 1, ${benchNow} from account returning id
  `.execute(database());
  const portfolioId = rows[0]?.id ?? 0;
  await sql`
    with made as (
      insert into account (username, email, email_confirmed, created_at) select 'reader-' || n, 'reader-' || n || '@example.org', true, ${benchNow} from generate_series(1, ${followers}::int) n returning id)
    insert into follow (account_id, portfolio_id, max_stake_hundredths, created_at) select id, ${portfolioId}, 100, ${benchNow} from made
  `.execute(database());
  await sql`
    insert into post (reference, portfolio_id, idempotency_key, request_hash, title, body, premium_only, published_at)
    values ('benchbench', ${portfolioId}, 'bench', repeat('0', 64), 'A post', 'For everybody who follows.', false, ${benchNow})
  `.execute(database());
  await sql`vacuum analyze`.execute(database());
  return portfolioId;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Hands the outbox to a mail server on this machine, in the same process; gives how many arrived, each to somebody else, and how long it took. */
async function handOver(): Promise<{ arrived: number; seconds: number }> {
  const sink = await openSmtpSink();
  const before = process.env.SMTP_URL;
  process.env.SMTP_URL = sink.url;
  try {
    const seconds = await timed(() => sendDueMails(benchNow, { seconds: endless }));
    return { arrived: new Set(sink.mails.flatMap(({ to }) => to)).size, seconds };
  } finally {
    if (before === undefined) delete process.env.SMTP_URL;
    else process.env.SMTP_URL = before;
    await sink.close();
  }
}

/** A post of a tipster given to all followers, in the list and by mail: put down, then written into the outbox, by as many runners as are asked for, then handed over. */
export const news: Benchmark = {
  name: 'news',
  title: 'a post spread to its followers, put into the outbox and handed to a mail server, each once',
  options: ['--followers <number> how many there are (2000)', '--runners <number>   how many send at once (2)'],
  run: (args) => {
    const { followers, runners } = readWholeNumbers(args, {
      followers: { least: 1, most: 1_000_000, fallback: 2_000 },
      runners: { least: 1, most: 8, fallback: 2 },
    });
    return onBenchDatabase(async () => {
      const portfolioId = await fill(followers);
      const { rows: posts } = await sql<{ id: number }>`select id from post`.execute(database());
      await transact(() =>
        noteEvents([{ kind: 'post', key: 'bench', at: benchNow, portfolioId, postId: posts[0]?.id ?? 0 }]),
      );
      const channels = offeredChannels();
      const spread = await timed(() => spreadNews(channels, benchNow, { seconds: endless }));
      await sql`analyze delivery`.execute(database());
      const send = await timed(() =>
        Promise.all(
          Array.from({ length: runners }, () => sendDueNews(benchNow, { viewerOf, channels, seconds: endless })),
        ),
      );
      const { rows } = await sql<{ deliveries: number; mails: number; people: number }>`
        select (select count(*)::int from delivery where state = 'sent') as deliveries, count(*)::int as mails, count(distinct recipient)::int as people from mail_outbox
      `.execute(database());
      const { deliveries = 0, mails = 0, people = 0 } = rows[0] ?? {};
      const { arrived, seconds: handing } = await handOver();
      const rate = (seconds: number) => inWords(Math.round(followers / seconds));
      process.stdout.write(
        `${table([
          ['', 'followers', 'seconds', 'people a second'],
          ['spread', inWords(followers), spread.toFixed(2), rate(spread)],
          ['mailed', inWords(mails), send.toFixed(2), rate(send)],
          ['handed over', inWords(arrived), handing.toFixed(2), rate(handing)],
        ])}\n`,
      );
      const isWhole = [mails, people, arrived].every((each) => each === followers);
      return deliveries === 2 * followers && isWhole ? 0 : 1;
    });
  },
};
