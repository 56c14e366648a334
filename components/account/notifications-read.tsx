'use client';

import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import type { Notification } from '@/lib/notifications/schema';
import { readShown } from '../state/unread';
import { usernameAtom } from '../state/viewer';

type NotificationsReadProps = { shown: readonly Pick<Notification, 'id' | 'read'>[] };

/** Product §12: what a page shows its member of notifications is read, once the browser knows the member, too. */
export function NotificationsRead({ shown }: NotificationsReadProps) {
  const username = useAtomValue(usernameAtom);
  useEffect(() => {
    if (username !== null) readShown(shown);
  }, [username, shown]);
  return null;
}
