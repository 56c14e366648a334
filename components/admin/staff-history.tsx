import type { StaffColumn } from '@/lib/staff/schema';
import { SectionHeading } from '../ui/section-heading';
import { StaffTable } from './staff-table';

type StaffHistoryProps<R> = {
  columns: readonly StaffColumn<R>[];
  entries: readonly R[];
  timeZone: string;
  title?: string | undefined;
};

/** What staff did to the thing that a page is about, the last first. */
export function StaffHistory<R>({ columns, entries, timeZone, title = 'What staff did' }: StaffHistoryProps<R>) {
  return (
    <section>
      <SectionHeading>{title}</SectionHeading>
      {entries.length === 0 ? (
        <p>Nothing yet.</p>
      ) : (
        <StaffTable caption={title} columns={columns} rows={entries} timeZone={timeZone} />
      )}
    </section>
  );
}
