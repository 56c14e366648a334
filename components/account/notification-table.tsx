import { formatCount, formatDate } from '@/lib/format';
import type { Notification } from '@/lib/notifications/schema';
import { routes } from '@/lib/routes';
import { Units } from '../ui/units';
import { OutcomeBadge } from '../ui/outcome-badge';
import { Badge } from '../ui/badge';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { Time } from '../ui/time';

type NotificationTableProps = { notifications: readonly Notification[]; timeZone: string };

function titleOf({ what, lock, legCount }: Notification): string {
  return what ?? (lock === 'members' ? 'A tip for members' : `A hidden tip of ${formatCount(legCount, 'leg', 'legs')}`);
}

function happeningOf({ kind, version }: Notification): string {
  if (kind === 'tip') return 'Published';
  return (version ?? 1) > 1 ? 'Settlement corrected' : 'Settled';
}

/** What followed tipsters published and had settled, newest first. */
export function NotificationTable({ notifications, timeZone }: NotificationTableProps) {
  return (
    <Table caption="Notifications" captionHidden narrow="stack">
      <thead>
        <tr>
          <th scope="col">Tip</th>
          <th scope="col">Portfolio</th>
          <th scope="col">What happened</th>
          <FigureHead>Profit</FigureHead>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {notifications.map((each) => (
          <tr key={`${each.tipReference}-${each.version}`}>
            <th scope="row">
              <SiteLink href={routes.tip(each.portfolioReference, each.tipReference)}>{titleOf(each)}</SiteLink>
            </th>
            <td>
              <SiteLink href={routes.portfolio(each.portfolioReference)}>{each.portfolioName}</SiteLink>{' '}
              {each.demo && <Badge tone="quiet">Demo data</Badge>}
            </td>
            <td data-label="What happened">
              {happeningOf(each)} {each.outcome && <OutcomeBadge outcome={each.outcome} />}
            </td>
            <FigureCell data-label="Profit">
              {each.profitHundredths === null ? '–' : <Units hundredths={each.profitHundredths} />}
            </FigureCell>
            <td>
              <Time dateTime={each.at}>{formatDate(each.at, { timeZone, style: 'day-time' })}</Time>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
