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
import * as adminBookmaker from './admin/bookmakers/[bookmaker]/route';
import * as adminContent from './admin/content/[kind]/[reference]/route';
import * as adminFeed from './admin/feeds/[feed]/route';
import * as adminHelpLine from './admin/help-lines/[country]/route';
import * as adminName from './admin/names/[name]/route';
import * as adminBounce from './admin/bounces/[bounce]/route';
import * as adminBounces from './admin/bounces/route';
import * as adminMail from './admin/mails/[mail]/route';
import * as adminNewsEvent from './admin/news-events/[event]/route';
import * as adminNotification from './admin/notifications/[delivery]/route';
import * as adminWebhook from './admin/webhooks/[delivery]/route';
import * as edgeFixtureUpcoming from './edge/fixture-upcoming/route';
import * as edgeFixtures from './edge/fixtures/route';
import * as edgeFixturesList from './edge/fixtures-list/route';
import * as edgeMarketNamesList from './edge/market-names-list/route';
import * as edgeTopLeagues from './edge/top-leagues/route';
import * as edgeVersion from './edge/version/route';
import * as bestOdds from './best-odds/route';
import * as bestOddsTips from './best-odds/tips/route';
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
import * as userFixtureWatch from './user/fixture/[reference]/watch/route';
import * as userHelpLine from './user/help-line/route';
import * as userPause from './user/pause/route';
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
import * as userPush from './user/push/route';
import * as userPushDevice from './user/push/[id]/route';
import * as userTelegram from './user/telegram/route';
import * as userPortfolioWebhook from './user/portfolio/[reference]/webhook/route';
import * as userPortfolioWebhookSecret from './user/portfolio/[reference]/webhook/secret/route';
import * as userPortfolioWebhookTest from './user/portfolio/[reference]/webhook/test/route';
import * as userSessions from './user/sessions/route';
import * as userUnsubscribePosts from './user/guid/unsubscribe/[reference]/posts/route';
import * as userUnsubscribeTips from './user/guid/unsubscribe/[reference]/tips/route';
import * as outboxMail from './outbox/[mail]/route';
import * as unsubscribe from './unsubscribe/[guid]/route';
import * as userNotificationsRead from './user/notifications/read/route';
import * as userNotifications from './user/notifications/route';
import * as userNotificationsSample from './user/notifications/sample/route';
import * as userNotificationsUnread from './user/notifications/unread/route';
import * as userNewsOfPortfolio from './user/notifications/settings/[reference]/route';
import * as userNews from './user/notifications/settings/route';
import * as portfolioPlans from './portfolio/[reference]/plans/route';
import * as notices from './notices/[provider]/route';
import * as sandboxPayment from './sandbox/payments/[payment]/route';
import * as userCheckout from './user/checkout/route';
import * as userMembershipCancel from './user/memberships/[membership]/cancel/route';
import * as userMembershipCard from './user/memberships/[membership]/card/route';
import * as userMembershipKeep from './user/memberships/[membership]/keep/route';
import * as userMembershipRefund from './user/memberships/[membership]/refund/route';
import * as adminAffiliates from './admin/affiliates/route';
import * as affiliatesVisits from './affiliates/visits/route';
import * as userAffiliate from './user/affiliate/route';
import * as userAffiliatePayout from './user/affiliate/payout/route';
import * as adminCoupon from './admin/coupons/[code]/route';
import * as adminCoupons from './admin/coupons/route';
import * as adminTaxRates from './admin/tax-rates/route';
import * as adminPro from './admin/pro/route';
import * as userPro from './user/pro/route';
import * as userProSwitch from './user/pro/switch/route';
import * as userProTeam from './user/pro/team/route';
import * as userPortfolioPro from './user/portfolio/[reference]/pro/route';
import * as userPayee from './user/payee/route';
import * as userPayouts from './user/payouts/route';
import * as userMemberships from './user/memberships/route';
import * as userOrderCancel from './user/orders/[order]/cancel/route';
import * as userOrder from './user/orders/[order]/route';
import * as userOrders from './user/orders/route';
import * as userPortfolioCoupon from './user/portfolio/[reference]/coupons/[code]/route';
import * as userPortfolioCoupons from './user/portfolio/[reference]/coupons/route';
import * as userPortfolioEarnings from './user/portfolio/[reference]/earnings/route';
import * as userPortfolioEarningsExport from './user/portfolio/[reference]/earnings/export/route';
import * as userPortfolioMember from './user/portfolio/[reference]/membership/[id]/route';
import * as userPortfolioPayout from './user/portfolio/[reference]/payout/route';
import * as userPortfolioPlans from './user/portfolio/[reference]/plans/route';
import * as adminList from './admin/lists/[list]/route';
import * as adminFactor from './admin/second-factor/route';
import * as adminFactorBegin from './admin/second-factor/begin/route';
import * as adminUser from './admin/users/[user]/route';
import * as adminUserExport from './admin/users/[user]/export/route';
import * as adminFactorConfirm from './admin/second-factor/confirm/route';
import * as adminPortfolio from './admin/portfolios/[portfolio]/route';
import * as adminTip from './admin/tips/[tip]/route';
import * as adminFixture from './admin/fixtures/[reference]/route';
import * as adminJob from './admin/jobs/[job]/route';
import * as adminOrder from './admin/orders/[order]/route';
import * as adminPayout from './admin/payouts/[payout]/route';
import * as adminDifference from './admin/reconciliation/[difference]/route';

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
  '/best-odds/tips': bestOddsTips,
  '/events': events,
  '/outbox/{mail}': outboxMail,
  '/unsubscribe/{guid}': unsubscribe,
  '/user/notifications': userNotifications,
  '/user/notifications/read': userNotificationsRead,
  '/user/notifications/sample': userNotificationsSample,
  '/user/notifications/unread': userNotificationsUnread,
  '/user/notifications/settings': userNews,
  '/user/notifications/settings/{reference}': userNewsOfPortfolio,
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
  '/portfolio/{reference}/stats/month-overview/': portfolioMonthOverview,
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
  '/user/fixture/{reference}/watch': userFixtureWatch,
  '/user/following': userFollowing,
  '/user/following/{reference}': userFollowingEntry,
  '/user/help-line': userHelpLine,
  '/user/pause': userPause,
  '/user/portfolio': userPortfolios,
  '/user/portfolio/{reference}': userPortfolio,
  '/user/portfolio/{reference}/abandon': userPortfolioAbandon,
  '/user/portfolio/{reference}/autobets': userPortfolioAutobets,
  '/user/portfolio/{reference}/posts/add-post': userPortfolioAddPost,
  '/user/portfolio/{reference}/posts/{post}': userPortfolioPost,
  '/user/images': userImages,
  '/user/portfolio/{reference}/webhook': userPortfolioWebhook,
  '/user/portfolio/{reference}/webhook/secret': userPortfolioWebhookSecret,
  '/user/portfolio/{reference}/webhook/test': userPortfolioWebhookTest,
  '/user/preview': userPreview,
  '/user/push': userPush,
  '/user/push/{id}': userPushDevice,
  '/user/telegram': userTelegram,
  '/images/{file}': images,
  '/user/portfolio/{reference}/tips/add-tip': userPortfolioAddTip,
  '/user/sessions': userSessions,
  '/user/guid/unsubscribe/{reference}/posts': userUnsubscribePosts,
  '/user/guid/unsubscribe/{reference}/tips': userUnsubscribeTips,
  '/portfolio/{reference}/plans': portfolioPlans,
  '/user/portfolio/{reference}/plans': userPortfolioPlans,
  '/user/portfolio/{reference}/coupons': userPortfolioCoupons,
  '/user/portfolio/{reference}/coupons/{code}': userPortfolioCoupon,
  '/user/portfolio/{reference}/earnings': userPortfolioEarnings,
  '/user/portfolio/{reference}/earnings/export': userPortfolioEarningsExport,
  '/user/portfolio/{reference}/membership/{id}': userPortfolioMember,
  '/user/portfolio/{reference}/payout': userPortfolioPayout,
  '/user/checkout': userCheckout,
  '/user/orders': userOrders,
  '/user/orders/{order}': userOrder,
  '/user/orders/{order}/cancel': userOrderCancel,
  '/admin/pro': adminPro,
  '/admin/tax-rates': adminTaxRates,
  '/admin/coupons': adminCoupons,
  '/admin/coupons/{code}': adminCoupon,
  '/admin/affiliates': adminAffiliates,
  '/affiliates/visits': affiliatesVisits,
  '/user/affiliate': userAffiliate,
  '/user/affiliate/payout': userAffiliatePayout,
  '/user/pro': userPro,
  '/user/pro/team': userProTeam,
  '/user/pro/switch': userProSwitch,
  '/user/portfolio/{reference}/pro': userPortfolioPro,
  '/user/payee': userPayee,
  '/user/payouts': userPayouts,
  '/user/memberships': userMemberships,
  '/user/memberships/{membership}/cancel': userMembershipCancel,
  '/user/memberships/{membership}/card': userMembershipCard,
  '/user/memberships/{membership}/keep': userMembershipKeep,
  '/user/memberships/{membership}/refund': userMembershipRefund,
  '/notices/{provider}': notices,
  '/sandbox/payments/{payment}': sandboxPayment,
  '/outbox': outbox,
  '/admin/bookmakers/{bookmaker}': adminBookmaker,
  '/admin/content/{kind}/{reference}': adminContent,
  '/admin/feeds/{feed}': adminFeed,
  '/admin/help-lines/{country}': adminHelpLine,
  '/admin/lists/{list}': adminList,
  '/admin/users/{user}': adminUser,
  '/admin/users/{user}/export': adminUserExport,
  '/admin/portfolios/{portfolio}': adminPortfolio,
  '/admin/tips/{tip}': adminTip,
  '/admin/fixtures/{reference}': adminFixture,
  '/admin/jobs/{job}': adminJob,
  '/admin/orders/{order}': adminOrder,
  '/admin/payouts/{payout}': adminPayout,
  '/admin/reconciliation/{difference}': adminDifference,
  '/admin/names/{name}': adminName,
  '/admin/notifications/{delivery}': adminNotification,
  '/admin/mails/{mail}': adminMail,
  '/admin/bounces': adminBounces,
  '/admin/bounces/{bounce}': adminBounce,
  '/admin/webhooks/{delivery}': adminWebhook,
  '/admin/news-events/{event}': adminNewsEvent,
  '/admin/second-factor': adminFactor,
  '/admin/second-factor/begin': adminFactorBegin,
  '/admin/second-factor/confirm': adminFactorConfirm,
} satisfies Record<string, Partial<Record<Method, Call>>>;
