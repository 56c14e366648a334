import { isSent, isSlipLeg, type Sent, type SlipLeg } from '@/lib/bets/rules';
import { readStored, readSurely, removeStored, writeStored } from './storage';
import { viewerNow } from './viewer';
import { oneAtATime } from './one-at-a-time';

/** What was typed of a tip. */
export type TipForm = {
  portfolioReference: string;
  stake: string;
  eachWay: boolean;
  analysis: string;
  membersOnly: boolean;
  hidden: boolean;
  minPrice: string;
};

/** A tip that is being written; `isOpen` until the form is closed, so that it comes back after a login, a reload or a crash; `unanswered` is what was sent of it while nobody knows what became of it. */
export type Draft = { leg: SlipLeg; form: TipForm; isOpen: boolean; unanswered: Sent | null };

const mostKept = 5;
const lockName = 'tipledger-tip-drafts';

/** Whoever else uses this browser writes other tips. */
const key = () => {
  const viewer = viewerNow();
  return `tip-draft:${viewer.kind === 'member' ? viewer.user.username : ''}`;
};

function isForm(value: unknown): value is TipForm {
  if (typeof value !== 'object' || value === null) return false;
  const form = value as Record<string, unknown>;
  return (
    ['portfolioReference', 'stake', 'analysis'].every((name) => typeof form[name] === 'string') &&
    ['eachWay', 'membersOnly', 'hidden'].every((name) => typeof form[name] === 'boolean')
  );
}

/** A draft as it was kept; drafts from before have no least price. */
function draftIn(stored: unknown): Draft | null {
  if (typeof stored !== 'object' || stored === null || !('leg' in stored) || !('form' in stored)) return null;
  const { leg, form } = stored;
  if (!isSlipLeg(leg) || !isForm(form)) return null;
  return {
    leg,
    form: { ...form, minPrice: typeof form.minPrice === 'string' ? form.minPrice : '' },
    isOpen: 'isOpen' in stored && stored.isOpen === true,
    unanswered: 'unanswered' in stored && isSent(stored.unanswered) ? stored.unanswered : null,
  };
}

/** All of them, the newest first; what was kept before there were several is one. */
const draftsIn = (stored: unknown): readonly Draft[] =>
  (Array.isArray(stored) ? stored : [stored]).map(draftIn).filter((draft) => draft !== null);

/** The newest tip that the member was writing on this device, of those that are wanted; null without one. */
export async function readDraft(isWanted: (draft: Draft) => boolean = () => true): Promise<Draft | null> {
  return draftsIn(await readStored(key())).find(isWanted) ?? null;
}

/** One change after the other, in all tabs: a slow one must not bring back what was forgotten since. Where it is not known which there are, nothing is written over them. */
function change(edit: (drafts: readonly Draft[]) => readonly Draft[]): Promise<void> {
  const own = key();
  const act = async () => {
    const { value, isKnown } = await readSurely(own);
    if (!isKnown) return;
    const drafts = edit(draftsIn(value));
    await (drafts.length > 0 ? writeStored(own, drafts) : removeStored(own));
  };
  return oneAtATime(lockName, act);
}

const isOn =
  (selectionId: number) =>
  ({ leg }: Draft) =>
    leg.selectionId === selectionId;

/** The draft before the others, one for each selection; the oldest go, save those of which nobody knows what became. */
const withFirst = (drafts: readonly Draft[], first: Draft): readonly Draft[] => [
  first,
  ...drafts
    .filter((draft) => !isOn(first.leg.selectionId)(draft))
    .filter(({ unanswered }, index) => index < mostKept - 1 || unanswered !== null),
];

type Written = Pick<Draft, 'leg' | 'form'>;

/** Keeps the tip as it is written; what another tab has noted of a try stays. */
export function keepDraft(written: Written): Promise<void> {
  return change((drafts) => {
    const unanswered = drafts.find(isOn(written.leg.selectionId))?.unanswered ?? null;
    return withFirst(drafts, { ...written, isOpen: true, unanswered });
  });
}

/** Says of the tip that is kept on a selection, if there is one, that it was closed or that a try was answered: what was written or forgotten since stays so. */
export function changeDraft(
  selectionId: number,
  changed: Partial<Pick<Draft, 'isOpen' | 'unanswered'>>,
): Promise<void> {
  return change((drafts) => drafts.map((draft) => (isOn(selectionId)(draft) ? { ...draft, ...changed } : draft)));
}

/** Notes what is sent of a tip, which is kept for that if it was not yet. */
export function noteSent(written: Written, unanswered: Sent): Promise<void> {
  return change((drafts) => {
    const own = drafts.find(isOn(written.leg.selectionId)) ?? { ...written, isOpen: true };
    return withFirst(drafts, { ...own, unanswered });
  });
}

/** Forgets the tip on a selection, as once it was published. */
export function forgetDraft(selectionId: number): Promise<void> {
  return change((drafts) => drafts.filter((draft) => !isOn(selectionId)(draft)));
}
