import { formatDate } from '@/lib/format';
import { type FeedSetting, placeOfResults } from '@/lib/fixtures/schema';
import { routes } from '@/lib/routes';
import { Badge } from '../ui/badge';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { Time } from '../ui/time';

/** Every feed with how it runs by itself: whether, how often, where, and what is left of its quota. */
export function FeedTable({ feeds, timeZone }: { feeds: readonly FeedSetting[]; timeZone: string }) {
  // Results are asked for whether or not the feed is on.
  const newest = ({ askedAt: { [placeOfResults]: _, ...read } }: FeedSetting) =>
    Object.values(read).sort().at(-1) ?? null;
  return (
    <Table caption="How feeds run" narrow="stack">
      <thead>
        <tr>
          <th scope="col">Feed</th>
          <th scope="col">State</th>
          <FigureHead>Minutes between</FigureHead>
          <FigureHead>Places</FigureHead>
          <FigureHead>Quota left</FigureHead>
          <th scope="col">Last read</th>
        </tr>
      </thead>
      <tbody>
        {feeds.map((feed) => {
          const at = newest(feed);
          return (
            <tr key={feed.name}>
              <th scope="row">
                <SiteLink href={routes.staff('feeds', { id: feed.name })}>{feed.name}</SiteLink>
              </th>
              <td data-label="State">
                {feed.wantedAt !== null ? (
                  <Badge tone="notice">Wanted now</Badge>
                ) : feed.enabled ? (
                  <Badge tone="profit">On</Badge>
                ) : (
                  <Badge>Off</Badge>
                )}
              </td>
              <FigureCell data-label="Minutes between">{feed.everyMinutes}</FigureCell>
              <FigureCell data-label="Places">{feed.places.length}</FigureCell>
              <FigureCell data-label="Quota left">{feed.quotaLeft ?? '–'}</FigureCell>
              <td data-label="Last read">
                {at === null ? 'Never' : <Time dateTime={at}>{formatDate(at, { timeZone, style: 'day-time' })}</Time>}
              </td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
