import { staffUsers } from '@/lib/accounts/queries';
import { staffBookmakers, staffContent, staffHelpLines } from '@/lib/content/queries';
import { staffDueFixtures, staffFeedRuns, staffFixtures, staffNames } from '@/lib/fixtures/queries';
import { staffCoupons } from '@/lib/memberships/queries';
import { staffDifferences, staffOrders, staffPayouts, staffTaxRates } from '@/lib/money/queries';
import { staffBounces, staffDeliveries, staffEvents, staffMails } from '@/lib/notifications/queries';
import { staffPortfolios } from '@/lib/portfolios/queries';
import { staffTips } from '@/lib/settlement/queries';
import { staffLog } from '@/lib/staff/queries';
import type { AnyStaffList } from '@/lib/staff/schema';
import { staffWebhooks } from '@/lib/webhooks/queries';

/** Product §11: every list of staff by its name, each of which is a page and a file of CSV. */
export const staffLists: readonly AnyStaffList[] = [
  staffUsers,
  staffPortfolios,
  staffTips,
  staffFixtures,
  staffOrders,
  staffPayouts,
  staffDifferences,
  staffTaxRates,
  staffCoupons,
  staffFeedRuns,
  staffNames,
  staffDueFixtures,
  staffDeliveries,
  staffMails,
  staffBounces,
  staffWebhooks,
  staffEvents,
  staffContent,
  staffBookmakers,
  staffHelpLines,
  staffLog,
];
