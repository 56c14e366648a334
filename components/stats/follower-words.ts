import type { FollowerMoment } from '@/lib/stats/schema';

/** When followers looked, as the rows of tables say it. */
export const followerWords: Readonly<Record<FollowerMoment, string>> = {
  after5: '5 minutes later',
  after15: '15 minutes later',
  after60: '1 hour later',
  close: 'At the close',
};
