import 'server-only';
import { canSeePortfolio } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { excerptOf } from '@/lib/content/rules';
import type { MembershipNews, PayoutNews, StaffNews } from '@/lib/events/schema';
import { finalScoreOf, sportWords } from '@/lib/fixtures/rules';
import { proName } from '@/lib/memberships/rules';
import { isBookmakerVisible, priceIn, totalOddsThousandths } from '@/lib/odds/rules';
import { env } from '@/lib/platform/env';
import { canReadPost } from '@/lib/posts/rules';
import { sports } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { tipOf } from '@/lib/tips/queries';
import type { TipView } from '@/lib/tips/schema';
import {
  membershipWords,
  payoutWords,
  receiptWords,
  resultWords,
  settlementWords,
  tipName,
  tipWords,
  type Words,
} from '../rules/texts';
import type { Message, MessageLeg, Recipient } from '../schema/messages';
import type { NewsEvent, Sources } from './sources';

/** A reader of news: who they are to whoever decides what they may see, and how they read times and prices. */
export type Reader = { viewer: Viewer; recipient: Pick<Recipient, 'accountId' | 'timeZone' | 'oddsDisplay'> };

/** Why there is nothing to tell this reader of an event: what it is about is not theirs to see, or gone. */
export type Nothing = { nothing: string };

const excerptLength = 240;

/**
 * Product §12: what this reader is told of an event at `now`: what they may not see is not in it, prices are those on offer in their country
 * now; or why there is nothing to tell.
 */
export function messageFor(sources: Sources, eventId: number, reader: Reader, now: Date): Message | Nothing {
  const event = sources.events.get(eventId);
  if (!event) return { nothing: 'gone' };
  const { portfolio, kind, at } = event;
  if (portfolio && event.kind !== 'membership' && !canSeePortfolio(reader.viewer, portfolio))
    return { nothing: 'no access' };
  const said = contentOf(sources, event, reader, now);
  if (said === null) return { nothing: 'gone' };
  const { words, path, slipPath = null, ...parts } = said;
  const { siteUrl } = env();
  return {
    id: `news-${event.id}`,
    kind,
    at: at.toISOString(),
    ...words,
    link: `${siteUrl}${path}`,
    slipLink: slipPath && `${siteUrl}${slipPath}`,
    portfolio: portfolio && { reference: portfolio.reference, name: portfolio.name, demo: portfolio.demo },
    tip: null,
    post: null,
    fixture: null,
    settlement: null,
    receipts: [],
    ...parts,
  };
}

type Content = { words: Words; path: string; slipPath?: string | null } & Partial<
  Pick<Message, 'tip' | 'post' | 'fixture' | 'settlement' | 'receipts'>
>;

function contentOf(sources: Sources, event: NewsEvent, reader: Reader, now: Date): Content | null {
  const { kind, details, portfolio } = event;
  const { timeZone } = reader.recipient;
  switch (kind) {
    case 'tip':
    case 'settlement':
    case 'correction':
      return tipContent(sources, event, reader, now);
    case 'post':
      return postContent(event, reader);
    case 'fixture-start':
    case 'fixture-result':
      return fixtureContent(event);
    case 'membership':
      return {
        words: membershipWords(portfolio?.name ?? proName, details as MembershipNews, timeZone),
        path: routes.dashboard('memberships'),
        receipts: event.receipts.map((receipt) => ({
          ...receiptWords(receipt, timeZone),
          link: `${env().siteUrl}${routes.receipt(receipt.number)}`,
        })),
      };
    case 'payout':
      return {
        words: payoutWords(portfolio?.name ?? null, details as PayoutNews),
        path: payoutPath(portfolio),
      };
    case 'staff': {
      const { title, body, path } = details as StaffNews;
      return { words: { title, body }, path: path ?? routes.dashboard('notifications') };
    }
  }
}

// The pages of an owner are gone with a portfolio that is closed.
function payoutPath(portfolio: NewsEvent['portfolio']): string {
  if (portfolio === null) return routes.affiliates('dashboard');
  return portfolio.isClosed ? routes.dashboard('services') : routes.ownPortfolioPage(portfolio.reference, 'earnings');
}

function tipContent(sources: Sources, event: NewsEvent, { viewer, recipient }: Reader, now: Date): Content | null {
  const record = event.tipId === null ? undefined : sources.tips.get(event.tipId);
  if (!record) return null;
  const view = tipOf(viewer, record, now);
  const legs = view.legs.map((leg, index) => legOf(sources, record.id, leg, index, viewer.countryId));
  const best = legs.map(({ bestNow }) => bestNow);
  const total = {
    takenThousandths: view.totalOddsThousandths,
    bestNowThousandths:
      view.lock || view.started || best.some((price) => price === null)
        ? null
        : totalOddsThousandths(best.flatMap((price) => price ?? [])),
  };
  const tip = {
    reference: view.reference,
    firstStartsAt: view.firstStartsAt,
    stakeHundredths: view.stakeHundredths,
    eachWay: view.eachWay,
    legs,
    lock: view.lock,
    ...total,
  };
  const path =
    view.lock === null && !view.started && (!view.free || view.hidden)
      ? routes.readTip(view.portfolioReference, view.reference)
      : routes.tip(view.portfolioReference, view.reference);
  if (event.kind === 'tip')
    return {
      words: tipWords(view.portfolioName, view, legs, total, recipient),
      path,
      slipPath:
        view.lock === null && !view.started
          ? routes.bets({ slip: `${view.portfolioReference}/${view.reference}` })
          : null,
      tip,
    };
  const settlement = view.settlements.find(({ version }) => version === event.version);
  if (!settlement) return null;
  const { version, outcome, profitHundredths } = settlement;
  return {
    words: settlementWords(view.portfolioName, tipName(view, legs), settlement),
    path,
    tip,
    settlement: { version, outcome, profitHundredths: Number(profitHundredths) },
  };
}

function legOf(
  { offers, bookmakers }: Sources,
  tipId: number,
  { bet, fixtureName, fixtureReference, startsAt, price, bookmakerName }: TipView['legs'][number],
  index: number,
  countryId: number,
): MessageLeg {
  const shown = (offers.get(tipId) ?? []).flatMap((offer) => {
    if (offer.leg !== index) return [];
    const bookmaker = bookmakers.find(({ id }) => id === offer.bookmakerId);
    return bookmaker && isBookmakerVisible(bookmaker, countryId, 'addTips')
      ? [{ ...priceIn(offer.price), bookmakerName: bookmaker.name, rating: bookmaker.rating }]
      : [];
  });
  const [best] = shown.toSorted((a, b) => b.oddsThousandths - a.oddsThousandths || (b.rating ?? 0) - (a.rating ?? 0));
  return {
    bet,
    fixtureName,
    fixtureReference,
    startsAt,
    taken: { ...price, bookmakerName },
    bestNow: best
      ? { oddsThousandths: best.oddsThousandths, fraction: best.fraction, bookmakerName: best.bookmakerName }
      : null,
  };
}

function postContent({ portfolio, post }: NewsEvent, { viewer }: Reader): Content | null {
  if (!portfolio || !post) return null;
  const { reference, title, body, premiumOnly } = post;
  const canRead = canReadPost(viewer, portfolio, post);
  return {
    words: {
      title: `${portfolio.name}: ${title}`,
      body: canRead ? excerptOf(body, excerptLength) : `Members of ${portfolio.name} can read it.`,
    },
    path:
      canRead && premiumOnly
        ? routes.readPost(portfolio.reference, reference)
        : routes.post(portfolio.reference, reference),
    post: { reference, title },
  };
}

function fixtureContent({ kind, fixture }: NewsEvent): Content | null {
  if (!fixture) return null;
  const { reference, name, sportId, home, away, abandoned, ending, finish, positions } = fixture;
  const sportReference = sports.find(({ id }) => id === sportId)?.reference ?? '';
  const finalScore = finalScoreOf(fixture.homeScore, fixture.awayScore);
  const score = { finalScore, finish, positions: positions ?? [], abandoned: abandoned ?? false, ending };
  return {
    words:
      kind === 'fixture-start'
        ? { title: `${name} has started`, body: 'No more tips can be added. Its page shows the closing prices.' }
        : resultWords({ name, sportReference, home, away, score }),
    path: routes.fixture(reference),
    fixture: {
      reference,
      name,
      score: score.abandoned || sportWords(sportReference).isBout ? null : (finalScore?.displayName ?? null),
    },
  };
}
