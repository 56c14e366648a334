import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { routeTable } from '@/lib/route-table';
import { staffDetailPaths, staffEntryPath, staffPages } from '@/lib/staff/schema';
import { staffPagesOf } from '@/lib/staff/rules';
import { member } from '@/lib/http/viewer';
import { Role } from '@/lib/reference/schema';

const area = path.join(process.cwd(), 'app/(admin)');
const files = readdirSync(area, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('page.tsx') && !file.includes('_sections'),
);
const pathOf = (file: string) => `/${path.dirname(file)}`.replace(/\[(\w+)\]/g, '{$1}');

test('every page of staff is in the table from which its row and its menu come, and none that is gone', () => {
  const listed = [...staffPages.map((page) => page.path), ...staffDetailPaths, staffEntryPath];
  expect(files.length).toBeGreaterThan(10);
  expect(files.map(pathOf).toSorted()).toEqual(listed.toSorted());
  for (const each of listed)
    expect(routeTable.find((route) => route.path === each)).toMatchObject({
      access: 'staff',
      kept: null,
      shell: { sidebar: 'admin', preload: false },
    });
});

test.each(files)('%s asks for itself who looks, and is never kept', (file) => {
  const text = readFileSync(path.join(area, file), 'utf8');
  expect(text).toContain("export const dynamic = 'force-dynamic';");
  expect(text).toContain('index: false');
  expect(text).toMatch(
    pathOf(file) === staffEntryPath ? /await readStaffEntrant\(/ : /await readStaffViewer\(|<StaffListPage /,
  );
});

test('the menu has the pages of staff for staff, and none for others', () => {
  const someone = { accountId: 1, pro: false, owns: [], subscribes: [] };
  const pages = (role: Role) => staffPagesOf(member({ ...someone, role, proven: true }));
  expect(pages(Role.user)).toEqual([]);
  expect(pages(Role.admin)).toEqual(staffPages);
  expect(pages(Role.superAdmin)).toEqual(staffPages);
});
