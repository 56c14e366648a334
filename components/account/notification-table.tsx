import { formatDate } from '@/lib/format';
import type { Notification } from '@/lib/notifications/schema';
import { routes } from '@/lib/routes';
import { Units } from '../ui/units';
import { OutcomeBadge } from '../ui/outcome-badge';
import { Badge } from '../ui/badge';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { Lines } from '../ui/lines';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { Time } from '../ui/time';
import styles from './notification-table.module.scss';

type NotificationTableProps = { notifications: readonly Notification[]; timeZone: string };

/** What happened that the member wanted to hear of, newest first. */
export function NotificationTable({ notifications, timeZone }: NotificationTableProps) {
  return (
    <Table caption="Notifications" captionHidden narrow="stack">
      <thead>
        <tr>
          <th scope="col">What happened</th>
          <th scope="col">Portfolio</th>
          <FigureHead>Profit</FigureHead>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {notifications.map(({ id, title, body, path, read, portfolio, outcome, profitHundredths, at }) => (
          <tr key={id}>
            <th scope="row" className={styles.what}>
              {!read && <Badge tone="accent">New</Badge>}{' '}
              {path === routes.dashboard('notifications') ? title : <SiteLink href={path}>{title}</SiteLink>}{' '}
              {outcome && <OutcomeBadge outcome={outcome} />}
              <Lines of={body} />
            </th>
            <td data-none={portfolio === null || undefined}>
              {portfolio ? (
                <>
                  <SiteLink href={routes.portfolio(portfolio.reference)}>{portfolio.name}</SiteLink>{' '}
                  {portfolio.demo && <Badge tone="quiet">Demo data</Badge>}
                </>
              ) : (
                '–'
              )}
            </td>
            <FigureCell data-label="Profit" data-none={profitHundredths === null || undefined}>
              {profitHundredths === null ? '–' : <Units hundredths={profitHundredths} />}
            </FigureCell>
            <td>
              <Time dateTime={at}>{formatDate(at, { timeZone, style: 'day-time' })}</Time>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
