import { useEffect, useState } from 'react';
import { formatCount, formatDate } from '@/lib/format';
import type { Notification } from '@/lib/notifications/schema';
import { routes } from '@/lib/routes';
import { Units } from '../ui/units';
import { api } from '../state/api';
import { readStored, writeStored } from '../state/storage';
import { viewerNow } from '../state/viewer';
import { OutcomeBadge } from '../ui/outcome-badge';
import { Badge } from '../ui/badge';
import { SiteLink } from '../ui/site-link';
import { Time } from '../ui/time';
import { Fetched } from './fetched';
import styles from './notifications.module.scss';
import type { Viewing } from '../viewing/viewing';
import { viewingNow } from './viewing';

type Shown = { items: readonly Notification[]; seenUntil: string; viewing: Viewing };

/** Whoever else uses this browser has seen other things. */
const seenKey = () => {
  const viewer = viewerNow();
  return `notifications-seen:${viewer.kind === 'member' ? viewer.user.username : ''}`;
};

/** The latest of the tipsters that the member follows; what came since they last looked is marked. */
export function Notifications() {
  return <Fetched load={load}>{(shown) => <List {...shown} />}</Fetched>;
}

async function load(signal: AbortSignal): Promise<Shown> {
  const [{ items }, seen, viewing] = await Promise.all([
    api('GET /user/notifications', { signal }),
    readStored(seenKey()),
    viewingNow(),
  ]);
  return { items, viewing, seenUntil: typeof seen === 'string' ? seen : '' };
}

function List({ items, seenUntil, viewing }: Shown) {
  const [newest] = items;
  const [mark] = useState(seenUntil);
  useEffect(() => {
    if (newest && newest.at > seenUntil) void writeStored(seenKey(), newest.at);
  }, [newest, seenUntil]);

  if (items.length === 0) {
    return (
      <p>
        Nothing has happened in the past 30 days. You hear here when a tipster whom you follow publishes a tip or one is
        settled: <SiteLink href={routes.tipsters()}>find one to follow</SiteLink>.
      </p>
    );
  }
  return (
    <ul className={styles.list}>
      {items.map((item) => (
        <Row key={`${item.tipReference}-${item.version}`} item={item} isNew={item.at > mark} {...viewing} />
      ))}
    </ul>
  );
}

function Row({ item, isNew, timeZone }: { item: Notification; isNew: boolean } & Viewing) {
  const {
    kind,
    version,
    portfolioReference,
    portfolioName,
    tipReference,
    what,
    legCount,
    lock,
    outcome,
    profitHundredths,
    at,
    demo,
  } = item;
  const did =
    kind === 'tip' ? 'published a tip' : (version ?? 1) > 1 ? 'had a settlement corrected' : 'had a tip settled';
  return (
    <li className={styles.row}>
      <p className={styles.who}>
        {isNew && <Badge tone="accent">New</Badge>}
        <span>
          <SiteLink href={routes.portfolio(portfolioReference)}>{portfolioName}</SiteLink> {did}
        </span>
        {demo && <Badge tone="quiet">Demo data</Badge>}
      </p>
      <SiteLink href={routes.tip(portfolioReference, tipReference)}>
        {what ?? (lock === 'members' ? 'A tip for members' : `A hidden tip of ${formatCount(legCount, 'leg', 'legs')}`)}
      </SiteLink>
      <p className={styles.facts}>
        <Time dateTime={at}>{formatDate(at, { timeZone, style: 'day-time' })}</Time>
        {outcome && <OutcomeBadge outcome={outcome} />}
        {profitHundredths !== null && <Units hundredths={profitHundredths} />}
      </p>
    </li>
  );
}
