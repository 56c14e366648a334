import { adminSidebar, canReadPremium, whyNotAllowed, whyNotWriting } from '@/lib/access/rules';
import type { Access } from '@/lib/access/schema';
import { guest, member } from '@/lib/http/viewer';
import { Role } from '@/lib/reference/schema';

const someone = { accountId: 1, role: Role.user, pro: false, owns: [], subscribes: [] } as const;

const viewers = {
  guest: guest(),
  unverified: member({ ...someone, confirmed: false }),
  member: member(someone),
  pro: member({ ...someone, pro: true }),
  unproven: member({ ...someone, role: Role.superAdmin }),
  suspended: member({ ...someone, role: Role.superAdmin, proven: true, suspended: true }),
  admin: member({ ...someone, role: Role.admin, proven: true }),
  superAdmin: member({ ...someone, role: Role.superAdmin, proven: true }),
};

const noStaff = {
  guest: 'unauthorised',
  unverified: 'forbidden',
  member: 'forbidden',
  pro: 'forbidden',
  suspended: 'forbidden',
} as const;

const table: Record<Access, Partial<Record<keyof typeof viewers, 'unauthorised' | 'forbidden'>>> = {
  unidentified: {},
  public: {},
  member: { guest: 'unauthorised' },
  confirmed: { guest: 'unauthorised', unverified: 'forbidden' },
  'staff-entry': noStaff,
  staff: { ...noStaff, unproven: 'forbidden' },
  'super-admin': { ...noStaff, unproven: 'forbidden', admin: 'forbidden' },
};

const cases = Object.entries(table).flatMap(([access, refused]) =>
  Object.entries(viewers).map(([name, viewer]) => ({
    access: access as Access,
    name,
    viewer,
    expected: refused[name as keyof typeof viewers] ?? null,
  })),
);

test.each(cases)('a call for $access answers $name with $expected', ({ access, viewer, expected }) => {
  expect(whyNotAllowed(viewer, access)?.kind ?? null).toBe(expected);
});

test('only a suspended member is kept from writing', () => {
  expect(Object.entries(viewers).flatMap(([name, viewer]) => (whyNotWriting(viewer) ? [name] : []))).toEqual([
    'suspended',
  ]);
});

test('the side menu of staff is that of the role, and nobody else has one', () => {
  expect(Object.entries(viewers).map(([name, viewer]) => [name, adminSidebar(viewer)])).toEqual([
    ['guest', 'none'],
    ['unverified', 'none'],
    ['member', 'none'],
    ['pro', 'none'],
    ['unproven', 'super-admin'],
    ['suspended', 'super-admin'],
    ['admin', 'admin'],
    ['superAdmin', 'super-admin'],
  ]);
});

test('preview mode lets everybody read what is for members, and changes nothing else', async () => {
  const portfolio = { id: 7, visibility: 2, tipledgerPro: false } as const;
  expect(Object.values(viewers).filter((viewer) => canReadPremium(viewer, portfolio))).toEqual([
    viewers.unproven,
    viewers.suspended,
    viewers.admin,
    viewers.superAdmin,
  ]);
  for (const viewer of Object.values(viewers)) {
    const previewing = { ...viewer, preview: true };
    expect(canReadPremium(previewing, portfolio)).toBe(true);
    expect(whyNotAllowed(previewing, 'staff')).toEqual(whyNotAllowed(viewer, 'staff'));
  }
});
