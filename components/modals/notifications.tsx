import { useEffect, useState } from 'react';
import { formatDate } from '@/lib/format';
import { type Notification, type NotificationList, notificationLimits } from '@/lib/notifications/schema';
import { isUntold, untoldText } from '@/lib/notifications/rules';
import { routes } from '@/lib/routes';
import { Units } from '../ui/units';
import { api } from '../state/api';
import { inTurn } from '../state/in-turn';
import { watchTopic } from '../state/live';
import { newsTurns, readShown } from '../state/unread';
import { OutcomeBadge } from '../ui/outcome-badge';
import { Badge } from '../ui/badge';
import { Lines } from '../ui/lines';
import { SiteLink } from '../ui/site-link';
import { Time } from '../ui/time';
import { Fetched } from './fetched';
import styles from './notifications.module.scss';
import type { Formats } from '../formats/formats';
import { formatsNow } from './formats';

/** What an instance of the release before answers (0107). */
type OlderList = Omit<NotificationList, 'unreadIds' | 'next'> & Partial<NotificationList>;

type Shown = { list: NotificationList; formats: Formats };

/** Spec §2.5, the latest that the member wanted to hear of; what is unread is marked, and read once it was shown, on all their devices. */
export function Notifications() {
  return <Fetched load={load}>{(shown) => <List {...shown} />}</Fetched>;
}

async function load(signal: AbortSignal): Promise<Shown> {
  const [list, formats] = await Promise.all([askList(signal), formatsNow()]);
  return { list, formats };
}

async function askList(signal: AbortSignal): Promise<NotificationList> {
  const list: OlderList = await api('GET /user/notifications', { signal });
  return { ...list, unreadIds: list.unreadIds ?? [], next: list.next ?? null };
}

function List({ list: first, formats }: Shown) {
  const [{ items, unreadIds, next }, setList] = useState(first);
  // What was read here stays marked while it is in sight.
  const [fresh, setFresh] = useState<ReadonlySet<number>>(() => new Set(first.unreadIds));
  useEffect(() => {
    const over = new AbortController();
    const lookInTurn = inTurn(async () => {
      if (over.signal.aborted) return;
      const list = await askList(over.signal);
      setList(list);
      setFresh((known) => new Set([...known, ...list.unreadIds]));
    }, newsTurns);
    const stop = watchTopic('news', ({ kind }) => kind === 'change' && lookInTurn());
    return () => {
      stop();
      over.abort();
    };
  }, []);
  useEffect(() => readShown(unreadIds), [unreadIds]);
  const untold = isUntold({ items, unreadIds, next });

  return (
    <>
      {untold && <p>{untoldText}.</p>}
      {items.length === 0 && !untold && (
        <p>
          Nothing has happened in the past {notificationLimits.days} days. You are notified here when a tipster you
          follow publishes a tip, and when one is settled:{' '}
          <SiteLink href={routes.tipsters()}>find one to follow</SiteLink>.
        </p>
      )}
      {items.length > 0 && (
        <ul className={styles.list}>
          {items.map((item) => (
            <Row key={item.id} item={item} isNew={fresh.has(item.id)} {...formats} />
          ))}
        </ul>
      )}
      {next !== null && (
        <p>
          <SiteLink href={routes.dashboard('notifications', { before: next })}>Earlier notifications</SiteLink>
        </p>
      )}
      <p>
        <SiteLink href={routes.dashboard('notifications')}>Choose what you are notified about, and how</SiteLink>
      </p>
    </>
  );
}

function Row({ item, isNew, timeZone }: { item: Notification; isNew: boolean } & Formats) {
  const { title, body, path, portfolio, outcome, profitHundredths, at } = item;
  return (
    <li className={styles.row}>
      <p className={styles.who}>
        {isNew && <Badge tone="accent">New</Badge>}
        <SiteLink href={path}>{title}</SiteLink>
        {portfolio?.demo && <Badge tone="quiet">Demo data</Badge>}
      </p>
      <Lines of={body} />
      <p className={styles.facts}>
        <Time dateTime={at}>{formatDate(at, { timeZone, style: 'day-time' })}</Time>
        {outcome && <OutcomeBadge outcome={outcome} />}
        {profitHundredths !== null && <Units hundredths={profitHundredths} />}
      </p>
    </li>
  );
}
