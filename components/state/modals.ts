import { atom, getDefaultStore } from 'jotai';
import type { SlipLeg } from '@/lib/bets/rules';
import type { MembershipView } from '@/lib/memberships/schema';
import type { BookmakerPurpose } from '@/lib/reference/schema';
import type { TipView } from '@/lib/tips/schema';
import type { Intent } from './after-login';
import type { Draft } from './tip-draft';
import { type ModalName, modalTable } from './modal-table';
import { viewerAtom } from './viewer';

/** A message that stays for a moment, with what can be done about it. */
export type Feedback = {
  title: string;
  text: string;
  kind: 'success' | 'error';
  action?: { title: string; run: () => void };
};

/** A fixture that staff correct: its start as an ISO moment, the runners of a race, and the players on whom there are prices. */
export type EditedFixture = {
  reference: string;
  startsAt: string;
  status: string;
  isRace: boolean;
  isInSets: boolean;
  scorers: readonly string[];
  runners: readonly { name: string; withdrawnAt: string | null }[];
};

/** What each modal whose body is there is opened with; the others come with the work that owns them. */
export type ModalProps = {
  feedback: Feedback;
  /** `intent` is what one signs in for, done then. */
  login: { redirectTo?: string; intent?: Intent };
  'free tips popup': { tips: readonly TipView[] };
  notifications: Record<never, never>;
  'historical odds': {
    fixtureReference: string;
    selectionId: number;
    purpose?: BookmakerPurpose;
    taken?: { oddsThousandths: number; at: string; bookmakerName: string };
  };
  'share tip': { portfolioReference: string; tipReference: string; title: string; image?: string };
  'bet slip': Record<never, never>;
  'add tips': { leg: SlipLeg; draft?: Pick<Draft, 'form' | 'unanswered'> };
  'change bookmaker': { leg: SlipLeg; onChoose: (leg: SlipLeg) => void };
  'change description': { portfolioReference: string };
  'product processing': { order: string };
  'cancel user membership': {
    membership: string;
    name: string;
    state: MembershipView['state'];
    endsAt: string;
    timeZone: string;
    onDone: (changed: MembershipView) => void;
  };
  'pro confirm team': Record<never, never>;
  /** `portfolio` is who comes in, where that is chosen before. */
  'pro switch team': { portfolio?: string };
  'pro upgrade': { portfolio: string; name: string };
  'edit fixture': { fixture: EditedFixture };
};

export type WorkingModal = keyof ModalProps &
  { [N in ModalName]: (typeof modalTable)[N]['owner'] extends 'now' ? N : never }[ModalName];

/** An open modal; `turn` tells one opening from the next of the same name. */
export type OpenModal<N extends WorkingModal = WorkingModal> = {
  [M in N]: { name: M; props: ModalProps[M]; turn: number };
}[N];

const openAtom = atom<readonly OpenModal[]>([]);
let turns = 0;

/** The open modals, the one on top last. */
export const openModalsAtom = atom((get) => get(openAtom));

function show(open: readonly OpenModal[]): void {
  getDefaultStore().set(openAtom, open);
  document.documentElement.toggleAttribute(
    'data-modal-open',
    open.some(({ name }) => name !== 'feedback'),
  );
}

const without = (name: WorkingModal) =>
  getDefaultStore()
    .get(openAtom)
    .filter((open) => open.name !== name);

/** Spec §4: opens a modal on top of the others and marks the page; false, and nothing happens, when it is not for this viewer. One that is open already shows the new props. */
export function openModal<N extends WorkingModal>(name: N, props: ModalProps[N]): boolean {
  if (!modalTable[name].isFor(getDefaultStore().get(viewerAtom))) return false;
  turns += 1;
  show([...without(name), { name, props, turn: turns } as OpenModal]);
  return true;
}

/** Spec §4: closes a modal, and takes the mark off the page when no other but feedback is open. */
export function closeModal(name: WorkingModal): void {
  show(without(name));
}

/** True while the modal is open. */
export function isModalOpen(name: WorkingModal): boolean {
  return getDefaultStore()
    .get(openAtom)
    .some((open) => open.name === name);
}

/** Closes all but feedback, as when the page changes under them. */
export function closeModals(): void {
  show(
    getDefaultStore()
      .get(openAtom)
      .filter(({ name }) => name === 'feedback'),
  );
}

/** Shows a message for a moment; a newer one takes its place. */
export function showFeedback(feedback: Feedback): void {
  openModal('feedback', feedback);
}
