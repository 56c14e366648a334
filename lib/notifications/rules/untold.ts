import type { NotificationList } from '../schema/notifications';

/** True for a page of notifications that shows nothing though something had happened: none of it can be told the member any more. */
export function isUntold({ items, unreadIds, next }: Pick<NotificationList, 'items' | 'unreadIds' | 'next'>): boolean {
  return items.length === 0 && (next !== null || unreadIds.length > 0);
}

/** What such a page says. */
export const untoldText = 'Nothing that was here is open to you any more';
