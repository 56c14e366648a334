import { type ModalName, modalTable, type ModalViewer } from '@/components/state/modal-table';
import { Role } from '@/lib/reference/schema';

const member = (more: Partial<Extract<ModalViewer, { kind: 'member' }>> = {}): ModalViewer => ({
  kind: 'member',
  role: Role.user,
  user: { hasProMembership: false },
  currentPortfolio: null,
  ...more,
});

const viewers: Record<string, ModalViewer> = {
  unknown: { kind: 'unknown' },
  guest: { kind: 'guest' },
  member: member(),
  tipster: member({ currentPortfolio: 'ann-football' }),
  pro: member({ user: { hasProMembership: true } }),
  admin: member({ role: Role.admin }),
  'super admin': member({ role: Role.superAdmin }),
};

const everyMember = ['member', 'tipster', 'pro', 'admin', 'super admin'];

test.each<[ModalName, string[]]>([
  ['feedback', Object.keys(viewers)],
  ['product processing', everyMember],
  ['login', ['guest']],
  ['free tips popup', ['guest']],
  ['notifications', everyMember],
  ['bet slip', Object.keys(viewers)],
  ['change description', ['tipster']],
  ['historical odds', everyMember],
  ['add tips', ['tipster']],
  ['share tip', ['tipster']],
  ['change bookmaker', ['tipster']],
  ['cancel user membership', everyMember],
  ['pro confirm team', ['pro']],
  ['pro switch team', ['pro']],
  ['edit fixture', ['admin', 'super admin']],
  ['pro upgrade', ['pro']],
])('the modal %s is for %j and nobody else', (name, allowed) => {
  expect(Object.keys(viewers).filter((who) => modalTable[name].isFor(viewers[who] ?? { kind: 'unknown' }))).toEqual(
    allowed,
  );
});

test('the table holds the sixteen modals of the specification', () => {
  expect(Object.keys(modalTable)).toHaveLength(16);
});
