import { areCodesAsked, pruneAccounts, sendAskedCodes } from '@/lib/accounts/commands';
import { areBetsDue, resettleCorrectedBets, settleDueBets } from '@/lib/bets/commands';
import { areAutobetsDue } from '@/lib/bets/queries';
import {
  areMarketsToClose,
  askForDueResults,
  closeMarkets,
  importWaitingRows,
  pruneFeeds,
} from '@/lib/fixtures/commands';
import {
  areMembershipsDue,
  closeMemberships,
  expireOrders,
  judgeGuarantees,
  reconcilePayments,
  releaseEarnings,
  remindMembers,
  removeCards,
  shareProEarnings,
  watchDisputes,
} from '@/lib/memberships/commands';
import { releaseFees, requestMonthlyPayouts, sendPayouts } from '@/lib/money/commands';
import { pruneForgotten } from '@/lib/platform/cache';
import { now as present } from '@/lib/platform/clock';
import { env } from '@/lib/platform/env';
import { areMailsDue, pruneMails } from '@/lib/platform/mail';
import { pruneNamedWrites } from '@/lib/platform/once';
import { pruneHits } from '@/lib/platform/rate-limit';
import { pruneTokenKeys } from '@/lib/platform/tokens';
import { areCommitmentsDue, askWitnesses, openCommitments, signLedger, whyCannotSign } from '@/lib/record/commands';
import { arePlayed, hastenSettlement, resettlePlayedFixtures } from '@/lib/rulings/commands';
import { indexSearch } from '@/lib/search/commands';
import {
  areTipsCorrected,
  areTipsDue,
  countLateClosings,
  resettleCorrected,
  settleDueTips,
} from '@/lib/settlement/commands';
import {
  areDaysOld,
  computeDueLuck,
  drawDueSketches,
  foldOldDays,
  isLuckDue,
  rollStandings,
} from '@/lib/stats/commands';
import { isContentDue, publishDueContent } from '@/lib/content/commands';
import { askTelegram } from '@/lib/telegram/commands';
import { areWebhooksSet, pruneWebhooks, sendWebhooks } from '@/lib/webhooks/commands';
import { feedDemoWorld } from '@/lib/demo/feed';
import { isNewsDue, isNewsToSpread, pruneNews } from '@/lib/notifications/commands';
import { placeAutobets } from './autobets';
import { sendDailyMails, sendMails, sendNews, spreadDueNews } from './news';
import { type Job, JobClock } from './runner';
import { askForResults } from './ask-results';
import { auditing, noting, reconciling, renewing } from './noted-runs';
import { runFeeds } from './run-feeds';

// How often a job runs that the database is asked about meanwhile: it also tidies up what no question finds.
const idleSeconds = 30;

const sendingNews = {
  everySeconds: idleSeconds,
  asking: { everySeconds: 2, hasWork: isNewsDue },
  wokenBy: 'deliveries',
  run: sendNews,
} as const;

/** Everything that happens by the clock; each job is idempotent and run by one instance at a time. */
export const jobs: readonly Job[] = [
  {
    lane: 'fixtures',
    name: 'close-markets',
    everySeconds: idleSeconds,
    asking: { everySeconds: 5, hasWork: areMarketsToClose },
    run: closeMarkets,
  },
  { lane: 'fixtures', name: 'ask-for-due-results', everySeconds: 30, run: askForDueResults },
  {
    lane: 'record',
    name: 'open-commitments',
    everySeconds: idleSeconds,
    asking: { everySeconds: 5, hasWork: areCommitmentsDue },
    run: openCommitments,
  },
  {
    lane: 'settlement',
    name: 'settle-due-tips',
    everySeconds: idleSeconds,
    asking: { everySeconds: 2, hasWork: areTipsDue },
    run: async (now) => noting('tips', () => settleDueTips(now)),
  },
  {
    lane: 'settlement',
    name: 'resettle-corrected',
    everySeconds: idleSeconds,
    asking: { everySeconds: 10, hasWork: areTipsCorrected },
    run: resettleCorrected,
  },
  {
    lane: 'settlement',
    name: 'resettle-played',
    everySeconds: idleSeconds,
    asking: { everySeconds: 10, hasWork: arePlayed },
    run: async (now) => void (await resettlePlayedFixtures(now)),
  },
  {
    lane: 'settlement',
    name: 'settle-due-bets',
    everySeconds: idleSeconds,
    asking: { everySeconds: 2, hasWork: areBetsDue },
    run: async (now) => noting('bets', () => settleDueBets(now)),
  },
  { lane: 'settlement', name: 'resettle-corrected-bets', everySeconds: 10, run: resettleCorrectedBets },
  {
    lane: 'autobets',
    name: 'place-autobets',
    everySeconds: idleSeconds,
    asking: { everySeconds: 2, hasWork: areAutobetsDue },
    run: placeAutobets,
  },
  { lane: 'record', name: 'sign-ledger', everySeconds: 60, run: () => signLedger(), isAble: canSign },
  { lane: 'witnesses', name: 'ask-witnesses', everySeconds: 10, run: askWitnesses, isWanted: hasWitnesses },
  { lane: 'audit', name: 'audit-record', everySeconds: 20, run: auditing },
  { lane: 'stats', name: 'count-late-closings', everySeconds: 30, run: countLateClosings },
  {
    lane: 'stats',
    name: 'fold-old-days',
    everySeconds: idleSeconds,
    asking: { everySeconds: 5, hasWork: areDaysOld },
    run: (now) => foldOldDays(now),
  },
  { lane: 'stats', name: 'roll-standings', everySeconds: 60, run: rollStandings },
  {
    lane: 'stats',
    name: 'compute-luck',
    everySeconds: idleSeconds,
    asking: { everySeconds: 10, hasWork: isLuckDue },
    run: computeDueLuck,
  },
  { lane: 'sketches', name: 'draw-sketches', everySeconds: 10, run: drawDueSketches },
  {
    lane: 'content',
    name: 'publish-content',
    everySeconds: idleSeconds,
    asking: { everySeconds: 2, hasWork: isContentDue },
    run: async (now) => void (await publishDueContent(now)),
  },
  { lane: 'search', name: 'index-search', everySeconds: 30, run: indexSearch },
  {
    lane: 'memberships',
    name: 'renew-memberships',
    everySeconds: idleSeconds,
    asking: { everySeconds: 5, hasWork: areMembershipsDue },
    run: renewing,
  },
  {
    lane: 'memberships',
    name: 'remind-members',
    everySeconds: 600,
    run: async (now) => void (await remindMembers(now)),
  },
  {
    lane: 'memberships',
    name: 'close-memberships',
    everySeconds: 30,
    run: async () => void (await closeMemberships()),
  },
  { lane: 'money', name: 'expire-orders', everySeconds: 10, run: expireOrders },
  { lane: 'money', name: 'reconcile-payments', everySeconds: 10, run: reconcilePayments },
  { lane: 'reconciliation', name: 'reconcile-books', everySeconds: 86_400, run: reconciling },
  { lane: 'money', name: 'watch-disputes', everySeconds: 300, run: watchDisputes },
  { lane: 'money', name: 'send-payouts', everySeconds: 60, run: async () => void (await sendPayouts()) },
  { lane: 'money', name: 'remove-cards', everySeconds: 600, run: async (now) => void (await removeCards(now)) },
  {
    lane: 'payouts',
    name: 'request-monthly-payouts',
    everySeconds: 3_600,
    run: async (now) => void (await requestMonthlyPayouts(now)),
  },
  { lane: 'money', name: 'release-earnings', everySeconds: 600, run: async (now) => void (await releaseEarnings(now)) },
  {
    lane: 'memberships',
    name: 'judge-guarantees',
    everySeconds: 600,
    run: async (now) => void (await judgeGuarantees(now)),
  },
  { lane: 'money', name: 'release-fees', everySeconds: 600, run: async (now) => void (await releaseFees(now)) },
  { lane: 'money', name: 'share-pro', everySeconds: 600, run: async (now) => void (await shareProEarnings(now)) },
  {
    lane: 'feeds',
    name: 'demo-feed',
    everySeconds: 30,
    run: async (now) => (env().TIPLEDGER_DEMO === 'off' ? undefined : feedDemoWorld(now)),
  },
  {
    lane: 'sources',
    name: 'ask-for-results',
    everySeconds: 60,
    run: async (now) => ({ note: await askForResults(now) }),
  },
  {
    lane: 'run-feeds',
    name: 'run-feeds',
    everySeconds: 20,
    run: async (now) => ({ note: await runFeeds(now) }),
  },
  {
    lane: 'run-feeds',
    name: 'enter-waiting',
    everySeconds: 30,
    run: async (now) => hastenSettlement((await importWaitingRows(now)).decided, now),
  },
  { lane: 'pruning', name: 'prune-feeds', everySeconds: 3_600, run: pruneFeeds },
  {
    lane: 'news',
    name: 'spread-news',
    everySeconds: idleSeconds,
    asking: { everySeconds: 2, hasWork: isNewsToSpread },
    wokenBy: 'events',
    run: spreadDueNews,
  },
  // Two, so that two instances, or two lanes of one, share what is to be sent.
  { lane: 'deliveries', name: 'send-news', ...sendingNews },
  { lane: 'deliveries-too', name: 'send-news-too', ...sendingNews },
  { lane: 'digests', name: 'send-daily-mails', everySeconds: 60, run: sendDailyMails },
  {
    // Not behind a run of mails: whoever asked for a code waits for it.
    lane: 'codes',
    name: 'send-asked-codes',
    everySeconds: idleSeconds,
    asking: { everySeconds: 1, hasWork: areCodesAsked },
    run: sendAskedCodes,
  },
  {
    lane: 'webhooks',
    name: 'send-webhooks',
    everySeconds: idleSeconds,
    asking: { everySeconds: 2, hasWork: areWebhooksSet },
    run: sendWebhooks,
  },
  { lane: 'telegram', name: 'ask-telegram', everySeconds: 1, run: askTelegram, isWanted: hasTelegram },
  {
    lane: 'mail',
    name: 'send-mails',
    everySeconds: idleSeconds,
    asking: { everySeconds: 2, hasWork: areMailsDue },
    wokenBy: 'mails',
    run: sendMails,
  },
  { lane: 'pruning', name: 'prune-accounts', everySeconds: 3_600, run: pruneAccounts },
  { lane: 'pruning', name: 'prune-mails', everySeconds: 3_600, run: pruneMails },
  { lane: 'pruning', name: 'prune-webhooks', everySeconds: 3_600, run: pruneWebhooks },
  { lane: 'pruning', name: 'prune-news', everySeconds: 600, run: async (now) => void (await pruneNews(now)) },
  { lane: 'pruning', name: 'prune-token-keys', everySeconds: 3_600, run: pruneTokenKeys },
  { lane: 'pruning', name: 'prune-named-writes', everySeconds: 3_600, run: pruneNamedWrites },
  { lane: 'pruning', name: 'prune-rate-limits', everySeconds: 3_600, run: pruneHits },
  { lane: 'pruning', name: 'prune-forgotten', everySeconds: 3_600, run: pruneForgotten },
];

function hasWitnesses(): boolean {
  return env().TIPLEDGER_WITNESSES.length > 0;
}

function hasTelegram(): boolean {
  return env().TIPLEDGER_TELEGRAM_TOKEN !== undefined;
}

async function canSign(): Promise<boolean> {
  return (await whyCannotSign()) === null;
}

/** Runs every job that is due and that no other instance holds, once; a failure is logged, counted, and tried again when the job is next due. */
export async function runDueJobs(now: Date): Promise<void> {
  await new JobClock(jobs, () => now).runDue();
}

/** Starts the clock of the jobs, by the time of the database; what it returns stops it, waits so many milliseconds for what is under way, and gives the names of the jobs that were not done then. */
export function startJobs(): (milliseconds?: number) => Promise<string[]> {
  const clock = new JobClock(jobs, present);
  clock.start();
  return (milliseconds = 10_000) => clock.stop(milliseconds);
}
