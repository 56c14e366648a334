'use client';

import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { readShown } from '../state/unread';
import { usernameAtom } from '../state/viewer';

type NotificationsReadProps = { unreadIds: readonly number[] };

/** Product §12: what a page shows its member of notifications is read, once the browser knows the member, too. */
export function NotificationsRead({ unreadIds }: NotificationsReadProps) {
  const username = useAtomValue(usernameAtom);
  useEffect(() => {
    if (username !== null) readShown(unreadIds);
  }, [username, unreadIds]);
  return null;
}
