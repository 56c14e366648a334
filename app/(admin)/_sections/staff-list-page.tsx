import { StaffListView } from '@/components/admin/staff-list-view';
import { defaultView } from '@/lib/pages/default-view';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { type AnyStaffList, staffListQuery } from '@/lib/staff/schema';
import type { ReactNode } from 'react';

/** What the address of a staff list may carry. */
export type StaffListSearch = Promise<Record<string, string | string[] | undefined>>;

type StaffListPageProps = {
  list: AnyStaffList;
  path: string;
  searchParams: StaffListSearch;
  children?: ReactNode;
};

/** Product §11: a page that is one staff list. */
export async function StaffListPage({ list, path, searchParams, children }: StaffListPageProps) {
  const given = await searchParams;
  const viewer = await readStaffViewer(path, given);
  const query = staffListQuery(list, given);
  return (
    <StaffListView
      list={list}
      path={path}
      query={query}
      page={await list.read(viewer, query)}
      timeZone={defaultView.timeZone}
    >
      {children}
    </StaffListView>
  );
}
