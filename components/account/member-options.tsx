import { useAtomValue } from 'jotai';
import { Bell, CircleUserRound, Plus } from 'lucide-react';
import { useEffect, useId } from 'react';
import { formatNumber } from '@/lib/format';
import { routes } from '@/lib/routes';
import { isStaffRole } from '../state/auth-record';
import { openModal } from '../state/modals';
import { shownPathAtom } from '../state/shown-path';
import { watchUnread } from '../state/unread';
import { unreadAtom } from '../state/unread-count';
import { usernameAtom, viewerAtom } from '../state/viewer';
import { OwnerChoice } from '../portfolios/owner-choice';
import { Icon } from '../ui/icon';
import { SiteLink } from '../ui/site-link';
import styles from './member-options.module.scss';
import { SignOutButton } from './sign-out-button';

const links = [
  { href: routes.dashboard(), title: 'Account Dashboard' },
  { href: routes.dashboard('watchlist'), title: 'Watchlist' },
  { href: routes.dashboard('services'), title: 'My portfolios' },
  { href: routes.dashboard('memberships'), title: 'Memberships' },
  { href: routes.bets(), title: 'My bets' },
  { href: routes.dashboard('notifications'), title: 'Notifications' },
  { href: routes.dashboard('settings'), title: 'Settings' },
];

/** A member's options as a menu of links under their name. */
export function MemberOptions() {
  const viewer = useAtomValue(viewerAtom);
  const path = useAtomValue(shownPathAtom);
  const menuId = useId();
  const unread = useAtomValue(unreadAtom);
  const watched = useAtomValue(usernameAtom);
  useEffect(() => (watched === null ? undefined : watchUnread(watched)), [watched]);

  if (viewer.kind !== 'member') return null;
  const { username } = viewer.user;
  return (
    <>
      {viewer.portfolios.length > 0 && (
        <SiteLink href={routes.addTips()} className={styles.add} aria-label="Add tip">
          <Icon of={Plus} />
          <span className={styles.name}>Add tip</span>
        </SiteLink>
      )}
      <button
        type="button"
        className={styles.button}
        aria-label={unread > 0 ? `Notifications, ${formatNumber(unread)} unread` : 'Notifications'}
        onClick={() => openModal('notifications', {})}
      >
        <Icon of={Bell} />
        {unread > 0 && <span className={styles.count}>{unread > 99 ? '99+' : unread}</span>}
      </button>
      <button type="button" className={styles.button} popoverTarget={menuId} aria-label={`Your account, ${username}`}>
        <Icon of={CircleUserRound} />
        <span className={styles.name}>{username}</span>
      </button>
      <div id={menuId} popover="auto" className={styles.menu}>
        <nav aria-label="Account">
          <ul>
            {[...links, ...(isStaffRole(viewer.role) ? [{ href: routes.admin(), title: 'Admin' }] : [])].map(
              ({ href, title }) => (
                <li key={href}>
                  <SiteLink href={href} aria-current={href === path ? 'page' : undefined}>
                    {title}
                  </SiteLink>
                </li>
              ),
            )}
          </ul>
        </nav>
        <OwnerChoice />
        <SignOutButton />
      </div>
    </>
  );
}
