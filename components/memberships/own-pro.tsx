'use client';

import { formatDate } from '@/lib/format';
import { routes } from '@/lib/routes';
import { openModal } from '../state/modals';
import { Button } from '../ui/button';
import { SiteLink } from '../ui/site-link';
import styles from './pro.module.scss';
import { usePro } from './use-pro';

/** The team of a member of Pro, and the ways to fill and to change it; nothing for whoever has no Pro. */
export function OwnPro() {
  const { data: pro } = usePro();
  if (!pro?.running) return null;
  const { team, places, candidates, switchFrom } = pro;
  const free = places - team.length;
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <div className={styles.own}>
      <p>
        {team.length === 0 ? 'Your Pro is running. Choose your team now.' : `Your team, ${team.length} of ${places}:`}
      </p>
      {team.length > 0 && (
        <ul className={styles.team}>
          {team.map(({ reference, name }) => (
            <li key={reference}>
              <SiteLink href={routes.portfolio(reference)}>{name}</SiteLink>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.ways}>
        {free > 0 && candidates.length > 0 && (
          <Button onClick={() => openModal('pro confirm team', {})}>
            Choose {free === places ? 'your team' : 'more'}
          </Button>
        )}
        {team.length > 0 && candidates.length > 0 && (
          <Button look="secondary" disabled={switchFrom !== null} onClick={() => openModal('pro switch team', {})}>
            Change your team
          </Button>
        )}
        <SiteLink href={routes.dashboard('memberships')}>Your memberships</SiteLink>
      </p>
      {switchFrom !== null && (
        <p>
          You can change your team again from {formatDate(switchFrom, { timeZone, style: 'day-time' })} (your device’s
          time).
        </p>
      )}
    </div>
  );
}
