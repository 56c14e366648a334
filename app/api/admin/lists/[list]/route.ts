import { z } from 'zod';
import { Download, downloadOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { staffLists } from '@/lib/pages/staff-lists';
import { Failure } from '@/lib/platform/errors';
import { csvLine } from '@/lib/record/rules';
import { refuseUnlessStaff } from '@/lib/staff/queries';
import type { Viewer } from '@/lib/access/schema';
import { type AnyStaffList, type StaffCell, staffListLimits, staffListQuery } from '@/lib/staff/schema';

const textOf = (cell: StaffCell): string => {
  if (cell === null) return '';
  if (typeof cell !== 'object') return String(cell);
  return 'state' in cell ? cell.state : (cell.at ?? '');
};

async function* linesOf(
  { columns, read }: AnyStaffList,
  viewer: Viewer,
  query: ReturnType<typeof staffListQuery>,
): AsyncGenerator<string> {
  yield `${csvLine(columns.map(({ title }) => title))}\r\n`;
  let after: string | null = null;
  for (let count = 0; count < staffListLimits.fileRows; count += query.limit) {
    const { rows, next } = await read(viewer, { ...query, after });
    yield rows.map((row) => `${csvLine(columns.map(({ cell }) => textOf(cell(row))))}\r\n`).join('');
    if (next === null) return;
    after = next;
  }
}

const listOf = (name: string): AnyStaffList => {
  const list = staffLists.find((each) => each.name === name);
  if (!list)
    throw new Failure('missing', 'There is no such list. The side menu of /admin leads to those that there are.');
  return list;
};

export const GET = handle(
  {
    summary: 'A list of staff as CSV, narrowed as its page is',
    access: 'staff',
    params: z.object({ list: z.string().max(40) }),
    query: z.record(z.string(), z.string().or(z.array(z.string()))),
    answers: downloadOf(['text/csv']),
  },
  async ({ viewer, params, query }) => {
    refuseUnlessStaff(viewer);
    const list = listOf(params.list);
    const asked = staffListQuery(list, query, staffListLimits.filePage);
    return new Download({ name: `${list.name}.csv`, mediaType: 'text/csv' }, linesOf(list, viewer, asked));
  },
);
