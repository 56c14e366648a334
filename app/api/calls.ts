import type { Call } from '@/lib/api/handle';
import type { Method } from '@/lib/calls';
import * as betSlipPrices from './bet-slip/prices/route';
import * as betSlipTip from './bet-slip/tip/[portfolio]/[tip]/route';
import * as accountChallenge from './account/challenge/route';
import * as accountChangePassword from './account/change-password/route';
import * as accountCountry from './account/country/route';
import * as accountDelete from './account/delete/route';
import * as accountForgottenPassword from './account/forgotten-password/route';
import * as accountRegister from './account/register/route';
import * as accountResendCode from './account/resend-code/route';
import * as accountVerifyCode from './account/verify-code/route';
import * as accountVerifyGuid from './account/verify-guid/route';
import * as authLogout from './auth/logout/route';
import * as authRefreshToken from './auth/refresh-token/route';
import * as authSession from './auth/session/route';
import * as authToken from './auth/token/route';
import * as edgeFixtureUpcoming from './edge/fixture-upcoming/route';
import * as edgeFixtures from './edge/fixtures/route';
import * as edgeFixturesList from './edge/fixtures-list/route';
import * as edgeMarketNamesList from './edge/market-names-list/route';
import * as edgeTopLeagues from './edge/top-leagues/route';
import * as edgeVersion from './edge/version/route';
import * as bestOdds from './best-odds/route';
import * as events from './events/route';
import * as fixtureAbandon from './fixture/[reference]/abandon/route';
import * as fixtureMarkets from './fixture/[reference]/markets/route';
import * as fixture from './fixture/[reference]/route';
import * as fixtureScore from './fixture/[reference]/score/route';
import * as freeTips from './free-tips/route';
import * as ledgerCheckpoint from './ledger/checkpoint/route';
import * as ledgerConsistency from './ledger/consistency/route';
import * as ledgerEntries from './ledger/entries/route';
import * as ledgerExport from './ledger/export/route';
import * as ledgerTip from './ledger/tip/[tipReference]/route';
import * as liveScores from './live-scores/route';
import * as logCheckpoint from './log/checkpoint/route';
import * as logKeys from './log/keys/route';
import * as logProof from './log/proof/[sequence]/route';
import * as logPortfolioProofs from './log/proof/portfolio/[reference]/route';
import * as logTipProofs from './log/proof/tip/[tipReference]/route';
import * as logTile from './log/tile/[...path]/route';
import * as outbox from './outbox/route';
import * as oddsHistory from './odds-history/[reference]/[selection]/route';
import * as portfolio from './portfolio/[reference]/route';
import * as portfolioDescription from './portfolio/[reference]/description/route';
import * as portfolioWelcome from './portfolio/[reference]/welcome/route';
import * as portfolioPost from './portfolio/[reference]/posts/[post]/route';
import * as portfolioPostCached from './portfolio/[reference]/posts/cached/[post]/route';
import * as portfolioPosts from './portfolio/[reference]/posts/route';
import * as portfolioBreakdown from './portfolio/[reference]/stats/[kind]/[period]/route';
import * as portfolioMonthOverview from './portfolio/[reference]/stats/month-overview/route';
import * as portfolioRecentForm from './portfolio/[reference]/stats/recent-form/route';
import * as portfolioTip from './portfolio/[reference]/tips/[tip]/route';
import * as portfolioTipCached from './portfolio/[reference]/tips/cached/[tip]/route';
import * as portfolioTipsCompleted from './portfolio/[reference]/tips/completed/route';
import * as portfolioTipsRecent from './portfolio/[reference]/tips/recent/route';
import * as portfolioTips from './portfolio/[reference]/tips/route';
import * as portfolioMostPopular from './portfolio/most-popular/route';
import * as portfolioRecommended from './portfolio/recommended/route';
import * as portfolios from './portfolio/route';
import * as search from './search/route';
import * as sharePage from './share/page/[kind]/[reference]/[version]/route';
import * as shareImage from './share/[reference]/[tip]/[version]/route';
import * as stream from './stream/route';
import * as user from './user/route';
import * as userAutobets from './user/autobets/route';
import * as userAutobet from './user/autobets/[reference]/route';
import * as userBets from './user/bets/route';
import * as userBet from './user/bets/[reference]/route';
import * as userBetsExport from './user/bets/export/route';
import * as userBetsStats from './user/bets/stats/route';
import * as userBookmakers from './user/bookmakers/route';
import * as userExport from './user/export/route';
import * as userFeed from './user/feed/route';
import * as userFollowing from './user/following/route';
import * as userFollowingEntry from './user/following/[reference]/route';
import * as userPortfolios from './user/portfolio/route';
import * as images from './images/[file]/route';
import * as userImages from './user/images/route';
import * as userPreview from './user/preview/route';
import * as userPortfolio from './user/portfolio/[reference]/route';
import * as userPortfolioAutobets from './user/portfolio/[reference]/autobets/route';
import * as userPortfolioAbandon from './user/portfolio/[reference]/abandon/route';
import * as userPortfolioAddPost from './user/portfolio/[reference]/posts/add-post/route';
import * as userPortfolioPost from './user/portfolio/[reference]/posts/[post]/route';
import * as userPortfolioAddTip from './user/portfolio/[reference]/tips/add-tip/route';
import * as userSessions from './user/sessions/route';
import * as userUnsubscribePosts from './user/guid/unsubscribe/[reference]/posts/route';
import * as userUnsubscribeTips from './user/guid/unsubscribe/[reference]/tips/route';
import * as userNotifications from './user/notifications/route';
import * as portfolioPlans from './portfolio/[reference]/plans/route';
import * as sandboxPayment from './sandbox/payments/[payment]/route';
import * as userCheckout from './user/checkout/route';
import * as userMembershipCancel from './user/memberships/[membership]/cancel/route';
import * as userMembershipKeep from './user/memberships/[membership]/keep/route';
import * as userMembershipRefund from './user/memberships/[membership]/refund/route';
import * as userMemberships from './user/memberships/route';
import * as userOrderCancel from './user/orders/[order]/cancel/route';
import * as userOrder from './user/orders/[order]/route';
import * as userOrders from './user/orders/route';
import * as userPortfolioEarnings from './user/portfolio/[reference]/earnings/route';
import * as userPortfolioEarningsExport from './user/portfolio/[reference]/earnings/export/route';
import * as userPortfolioMember from './user/portfolio/[reference]/membership/[id]/route';
import * as userPortfolioPayout from './user/portfolio/[reference]/payout/route';
import * as userPortfolioPlans from './user/portfolio/[reference]/plans/route';

/** Every call of the API by its path; a test holds this table against the folders of app/api. */
export const calls = {
  '/fixture/{reference}': fixture,
  '/fixture/{reference}/abandon': fixtureAbandon,
  '/fixture/{reference}/markets': fixtureMarkets,
  '/fixture/{reference}/score': fixtureScore,
  '/edge/fixtures': edgeFixtures,
  '/edge/top-leagues': edgeTopLeagues,
  '/edge/fixtures-list': edgeFixturesList,
  '/edge/market-names-list': edgeMarketNamesList,
  '/edge/fixture-upcoming': edgeFixtureUpcoming,
  '/edge/version': edgeVersion,
  '/ledger/entries': ledgerEntries,
  '/ledger/checkpoint': ledgerCheckpoint,
  '/ledger/tip/{tipReference}': ledgerTip,
  '/ledger/export': ledgerExport,
  '/ledger/consistency': ledgerConsistency,
  '/log/checkpoint': logCheckpoint,
  '/log/keys': logKeys,
  '/log/tile/{...path}': logTile,
  '/log/proof/{sequence}': logProof,
  '/log/proof/tip/{tipReference}': logTipProofs,
  '/log/proof/portfolio/{reference}': logPortfolioProofs,
  '/live-scores': liveScores,
  '/odds-history/{reference}/{selection}': oddsHistory,
  '/free-tips': freeTips,
  '/best-odds': bestOdds,
  '/events': events,
  '/user/notifications': userNotifications,
  '/portfolio': portfolios,
  '/search': search,
  '/share/{reference}/{tip}/{version}': shareImage,
  '/share/page/{kind}/{reference}/{version}': sharePage,
  '/stream': stream,
  '/portfolio/recommended': portfolioRecommended,
  '/portfolio/most-popular': portfolioMostPopular,
  '/portfolio/{reference}': portfolio,
  '/portfolio/{reference}/description': portfolioDescription,
  '/portfolio/{reference}/tips': portfolioTips,
  '/portfolio/{reference}/tips/recent': portfolioTipsRecent,
  '/portfolio/{reference}/tips/completed': portfolioTipsCompleted,
  '/portfolio/{reference}/tips/{tip}': portfolioTip,
  '/portfolio/{reference}/tips/cached/{tip}': portfolioTipCached,
  '/portfolio/{reference}/welcome': portfolioWelcome,
  '/portfolio/{reference}/posts': portfolioPosts,
  '/portfolio/{reference}/posts/{post}': portfolioPost,
  '/portfolio/{reference}/posts/cached/{post}': portfolioPostCached,
  '/portfolio/{reference}/stats/recent-form': portfolioRecentForm,
  '/portfolio/{reference}/stats/month-overview': portfolioMonthOverview,
  '/portfolio/{reference}/stats/{kind}/{period}': portfolioBreakdown,
  '/account/challenge': accountChallenge,
  '/account/change-password': accountChangePassword,
  '/account/country': accountCountry,
  '/account/delete': accountDelete,
  '/account/forgotten-password': accountForgottenPassword,
  '/account/register': accountRegister,
  '/account/resend-code': accountResendCode,
  '/account/verify-code': accountVerifyCode,
  '/account/verify-guid': accountVerifyGuid,
  '/auth/logout': authLogout,
  '/auth/refresh-token': authRefreshToken,
  '/auth/session': authSession,
  '/auth/token': authToken,
  '/user': user,
  '/bet-slip/prices': betSlipPrices,
  '/bet-slip/tip/{portfolio}/{tip}': betSlipTip,
  '/user/autobets': userAutobets,
  '/user/autobets/{reference}': userAutobet,
  '/user/bets': userBets,
  '/user/bets/{reference}': userBet,
  '/user/bets/export': userBetsExport,
  '/user/bets/stats': userBetsStats,
  '/user/bookmakers': userBookmakers,
  '/user/export': userExport,
  '/user/feed': userFeed,
  '/user/following': userFollowing,
  '/user/following/{reference}': userFollowingEntry,
  '/user/portfolio': userPortfolios,
  '/user/portfolio/{reference}': userPortfolio,
  '/user/portfolio/{reference}/abandon': userPortfolioAbandon,
  '/user/portfolio/{reference}/autobets': userPortfolioAutobets,
  '/user/portfolio/{reference}/posts/add-post': userPortfolioAddPost,
  '/user/portfolio/{reference}/posts/{post}': userPortfolioPost,
  '/user/images': userImages,
  '/user/preview': userPreview,
  '/images/{file}': images,
  '/user/portfolio/{reference}/tips/add-tip': userPortfolioAddTip,
  '/user/sessions': userSessions,
  '/user/guid/unsubscribe/{reference}/posts': userUnsubscribePosts,
  '/user/guid/unsubscribe/{reference}/tips': userUnsubscribeTips,
  '/portfolio/{reference}/plans': portfolioPlans,
  '/user/portfolio/{reference}/plans': userPortfolioPlans,
  '/user/portfolio/{reference}/earnings': userPortfolioEarnings,
  '/user/portfolio/{reference}/earnings/export': userPortfolioEarningsExport,
  '/user/portfolio/{reference}/membership/{id}': userPortfolioMember,
  '/user/portfolio/{reference}/payout': userPortfolioPayout,
  '/user/checkout': userCheckout,
  '/user/orders': userOrders,
  '/user/orders/{order}': userOrder,
  '/user/orders/{order}/cancel': userOrderCancel,
  '/user/memberships': userMemberships,
  '/user/memberships/{membership}/cancel': userMembershipCancel,
  '/user/memberships/{membership}/keep': userMembershipKeep,
  '/user/memberships/{membership}/refund': userMembershipRefund,
  '/sandbox/payments/{payment}': sandboxPayment,
  '/outbox': outbox,
} satisfies Record<string, Partial<Record<Method, Call>>>;
