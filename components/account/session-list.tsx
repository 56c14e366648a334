'use client';

import { formatDate } from '@/lib/format';
import type { SessionView } from '@/lib/accounts/schema';
import { routes } from '@/lib/routes';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { Time } from '../ui/time';
import { deviceName } from './device-name';
import styles from './session-list.module.scss';
import { useForm } from '../ui/use-form';

type SessionListProps = { sessions: readonly SessionView[]; timeZone: string };

/** Product §3: the logins of a member, with one button that ends all of them. */
export function SessionList({ sessions, timeZone }: SessionListProps) {
  const { form, problem, isSending, isAlive } = useForm(async () => {
    const [{ api }, { signOut }, { leaveFor }] = await Promise.all([
      import('../state/api'),
      import('../state/session'),
      import('../state/auth-navigation'),
    ]);
    await api('DELETE /user/sessions');
    await signOut();
    leaveFor(routes.login());
  });
  return (
    <>
      <ul className={styles.list} aria-label="Logins">
        {sessions.map(({ id, device, address, createdAt, usedAt, current }) => (
          <li key={id}>
            <p className={styles.device}>
              {deviceName(device)} {current && <Badge tone="accent">Here</Badge>}
            </p>
            <p className={styles.facts}>
              From {address}, since{' '}
              <Time dateTime={createdAt}>{formatDate(createdAt, { timeZone, style: 'day' })}</Time>, last used{' '}
              <Time dateTime={usedAt}>{formatDate(usedAt, { timeZone, style: 'day-time' })}</Time>
            </p>
          </li>
        ))}
      </ul>
      <form {...form}>
        {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
        <p className={styles.facts}>
          This also stops notifications in your browsers and in Telegram until you turn them on again.
        </p>
        <Button type="submit" look="secondary" disabled={isSending || !isAlive}>
          Log out everywhere
        </Button>
      </form>
    </>
  );
}
