import { ListX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { StaffList, StaffListQuery, StaffRows } from '@/lib/staff/schema';
import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { Field } from '../ui/field';
import { Icon } from '../ui/icon';
import { Pager } from '../ui/pager';
import { Select } from '../ui/select';
import { StaffExport } from './staff-export';
import styles from './staff-list-view.module.scss';
import { StaffTable } from './staff-table';

type StaffListViewProps<R> = {
  list: StaffList<R>;
  path: string;
  query: StaffListQuery;
  page: StaffRows<R>;
  timeZone: string;
  children?: ReactNode;
};

/** Product §11: the one pattern of staff lists: search and filters in the address, rows, the way to the next ones, a file of CSV. Works without script save for the file. */
export function StaffListView<R>({ list, path, query, page, timeZone, children }: StaffListViewProps<R>) {
  const { title, lead, none, searched, filters, columns, name } = list;
  const asked: Record<string, string> = { ...(query.q ? { q: query.q } : {}), ...query.chosen };
  const next = new URLSearchParams({ ...asked, after: page.next ?? '' });
  return (
    <>
      <h1>{title}</h1>
      <p className={styles.lead}>{lead}</p>
      {children}
      {(searched !== null || filters.length > 0) && (
        <form method="get" action={path} className={styles.filters} role="search" aria-label={title}>
          {searched !== null && (
            <Field name="q" label="Search" hint={searched} type="search" defaultValue={query.q ?? ''} maxLength={200} />
          )}
          {filters.map((filter) => (
            <Select
              key={filter.name}
              name={filter.name}
              label={filter.title}
              defaultValue={query.chosen[filter.name] ?? ''}
              choices={[{ value: '', title: 'All' }, ...filter.choices]}
            />
          ))}
          <Button type="submit" look="secondary">
            Show
          </Button>
        </form>
      )}
      {page.rows.length === 0 ? (
        <EmptyState icon={<Icon of={ListX} />} title={none} />
      ) : (
        <>
          <StaffTable caption={title} columns={columns} rows={page.rows} timeZone={timeZone} />
          <div className={styles.foot}>
            <StaffExport list={name} query={asked} />
          </div>
        </>
      )}
      <Pager
        back={
          query.after === null ? null : { href: `${path}?${new URLSearchParams(asked)}`, title: 'Back to the first' }
        }
        on={page.next === null ? null : { href: `${path}?${next}`, title: 'Further ones' }}
      />
    </>
  );
}
