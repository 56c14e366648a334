import type { Role } from '@/lib/reference/schema';

/** What the rules of the modals need to know of who is looking; see `viewerAtom`. */
export type ModalViewer =
  | { kind: 'unknown' | 'guest' }
  | { kind: 'member'; role: Role; user: { hasProMembership: boolean }; currentPortfolio: string | null };

/** Whom a modal opens for, whom it is fetched ahead for where these are fewer, and whether its body is there or comes with the work that owns it. */
export type ModalRow = {
  isFor: (viewer: ModalViewer) => boolean;
  isAheadFor?: (viewer: ModalViewer) => boolean;
  owner: 'now' | 'later';
};

// Spelt out, since the enumeration would bring its validation library to every visitor.
const staff: readonly Role[] = [1 satisfies typeof Role.superAdmin, 2 satisfies typeof Role.admin];

const everybody = () => true;
const guests = ({ kind }: ModalViewer) => kind === 'guest';
const members = ({ kind }: ModalViewer) => kind === 'member';
const tipsters = (viewer: ModalViewer) => viewer.kind === 'member' && viewer.currentPortfolio !== null;
const proMembers = (viewer: ModalViewer) => viewer.kind === 'member' && viewer.user.hasProMembership;
const staffOnly = (viewer: ModalViewer) => viewer.kind === 'member' && staff.includes(viewer.role);

/** Spec §2.5, §4: every modal and whom it loads for. The admin sidebar, which editing a fixture needs, is the staff's by role. */
export const modalTable = {
  feedback: { isFor: everybody, owner: 'now' },
  'product processing': { isFor: members, owner: 'now' },
  login: { isFor: guests, owner: 'now' },
  'free tips popup': { isFor: guests, owner: 'now' },
  notifications: { isFor: members, owner: 'now' },
  // Ours (0066): the slip opens for everybody; by the specification it is fetched ahead for tipsters.
  'bet slip': { isFor: everybody, isAheadFor: tipsters, owner: 'now' },
  'change description': { isFor: tipsters, owner: 'now' },
  'historical odds': { isFor: members, owner: 'now' },
  'add tips': { isFor: tipsters, owner: 'now' },
  'share tip': { isFor: tipsters, owner: 'now' },
  'change bookmaker': { isFor: tipsters, owner: 'now' },
  'cancel user membership': { isFor: members, owner: 'now' },
  'pro confirm team': { isFor: proMembers, owner: 'now' },
  'pro switch team': { isFor: proMembers, owner: 'now' },
  'edit fixture': { isFor: staffOnly, owner: 'now' },
  'pro upgrade': { isFor: proMembers, owner: 'now' },
} as const satisfies Record<string, ModalRow>;

/** The name of a modal, as spec §2.5 has it. */
export type ModalName = keyof typeof modalTable;
