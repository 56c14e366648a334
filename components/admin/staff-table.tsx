import { formatDate } from '@/lib/format';
import type { StaffCell, StaffColumn } from '@/lib/staff/schema';
import { Badge } from '../ui/badge';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { Time } from '../ui/time';
import styles from './staff-table.module.scss';

type StaffTableProps<R> = {
  caption: string;
  columns: readonly StaffColumn<R>[];
  rows: readonly R[];
  timeZone: string;
};

function contentOf(cell: StaffCell, timeZone: string) {
  if (cell === null) return '–';
  if (typeof cell !== 'object') return cell;
  if ('state' in cell) return <Badge tone={cell.tone}>{cell.state}</Badge>;
  return cell.at === null ? (
    'Never'
  ) : (
    <Time dateTime={cell.at}>{formatDate(cell.at, { timeZone, style: 'day-time' })}</Time>
  );
}

/** The rows of a staff list; the first cell of each is its head. */
export function StaffTable<R>({ caption, columns, rows, timeZone }: StaffTableProps<R>) {
  return (
    <Table caption={caption} captionHidden narrow="stack" dense>
      <thead>
        <tr>
          {columns.map(({ key, title, figure }) =>
            figure ? (
              <FigureHead key={key}>{title}</FigureHead>
            ) : (
              <th key={key} scope="col">
                {title}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          <tr key={place}>
            {columns.map(({ key, title, figure, wide, cell, href }, column) => {
              const to = href?.(row) ?? null;
              const value = cell(row);
              const content = contentOf(value, timeZone);
              const inside = to === null ? content : <SiteLink href={to}>{content}</SiteLink>;
              if (column === 0)
                return (
                  <th key={key} scope="row">
                    {inside}
                  </th>
                );
              return figure ? (
                <FigureCell key={key} data-label={title}>
                  {inside}
                </FigureCell>
              ) : (
                <td key={key} data-label={title} className={wide && (value === null ? styles.none : styles.wide)}>
                  {inside}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
