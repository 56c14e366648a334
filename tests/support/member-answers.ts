import type { Settings, UserAnswer } from '@/lib/accounts/schema';
import type { ManagedPortfolio } from '@/lib/portfolios/schema';

/** The settings of a member in France. */
export const settings: Settings = {
  maxStake: 10,
  betCurrencyId: 1,
  buyCurrencyId: 1,
  countryId: 77,
  timezoneId: 1,
  oddsDisplayType: 'decimal',
};

/** A confirmed member who has bought nothing. */
export const user: UserAnswer['user'] = {
  username: 'bob',
  email: 'bob@example.com',
  countryId: 77,
  emailConfirmed: true,
  hasActivePremiumPortfolio: false,
  hasActiveSubscription: false,
  hasProMembership: false,
  affiliateReference: null,
};

/** A portfolio of that member's that nobody follows, or as it is said. */
export const managedPortfolio = (more: Partial<ManagedPortfolio> = {}): ManagedPortfolio => ({
  reference: 'bobs-tips',
  id: 1,
  name: 'Bob’s tips',
  type: 1,
  followers: 0,
  followersThisWeek: 0,
  premiumMembers: 0,
  premiumMembersThisWeek: 0,
  premiumMembersExpiringThisWeek: 0,
  totalPayout: 0,
  welcomeMessage: '',
  premiumWelcomeMessage: '',
  defaultTipStake: 1,
  couponId: null,
  picture: null,
  tipledgerPro: false,
  sells: false,
  description: '',
  demo: false,
  ...more,
});
