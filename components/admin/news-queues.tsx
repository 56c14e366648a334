import { formatDate, formatNumber } from '@/lib/format';
import type { NewsQueue } from '@/lib/notifications/schema';
import { routes } from '@/lib/routes';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { Time } from '../ui/time';

type Place = { title: string; waiting: string; failed: string | null };

const ofWay = (title: string, way: string, state = 'due'): Place => ({
  title,
  waiting: routes.staff('notifications', { state, way }),
  failed: routes.staff('notifications', { state: 'failed', way }),
});

const places: Readonly<Record<NewsQueue['name'], Place>> = {
  events: {
    title: 'Events to spread',
    waiting: routes.staff('news-events'),
    failed: routes.staff('news-events', { state: 'failing' }),
  },
  email: { ...ofWay('E-mail', 'email'), failed: null },
  daily: { ...ofWay('Daily mail', 'email', 'daily'), failed: null },
  push: ofWay('Push', 'push'),
  telegram: ofWay('Telegram', 'telegram'),
  webhooks: {
    title: 'Webhooks',
    waiting: routes.staff('webhooks', { state: 'waiting' }),
    failed: routes.staff('webhooks', { state: 'failed' }),
  },
  mails: {
    title: 'Mail outbox',
    waiting: routes.staff('mails'),
    failed: routes.staff('mails', { state: 'failed' }),
  },
};

const shown = (count: number, most: number) => (count < most ? formatNumber(count) : `${formatNumber(most)} or more`);

type NewsQueuesProps = { queues: readonly NewsQueue[]; timeZone: string };

/** Product §11: each queue of news in one line: how many wait, since when the first, and how many of the last day failed, each leading to them. */
export function NewsQueues({ queues, timeZone }: NewsQueuesProps) {
  return (
    <Table caption="The queues now" narrow="stack">
      <thead>
        <tr>
          <th scope="col">Queue</th>
          <FigureHead>Wait</FigureHead>
          <th scope="col">The oldest is from</th>
          <FigureHead>Failed in the last 24 hours</FigureHead>
        </tr>
      </thead>
      <tbody>
        {queues.map(({ name, waiting, oldestAt, failed, countedUpTo }) => {
          const place = places[name];
          return (
            <tr key={name}>
              <th scope="row">
                <SiteLink href={place.waiting}>{place.title}</SiteLink>
              </th>
              <FigureCell data-label="Wait">{shown(waiting, countedUpTo)}</FigureCell>
              <td data-label="The oldest is from">
                {oldestAt === null ? (
                  'None waits'
                ) : (
                  <Time dateTime={oldestAt}>{formatDate(oldestAt, { timeZone, style: 'day-time' })}</Time>
                )}
              </td>
              <FigureCell data-label="Failed in the last 24 hours">
                {place.failed !== null && failed > 0 ? (
                  <SiteLink href={place.failed}>{shown(failed, countedUpTo)}</SiteLink>
                ) : place.failed === null ? (
                  '–'
                ) : (
                  formatNumber(failed)
                )}
              </FigureCell>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
