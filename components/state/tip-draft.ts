import { isSent, isSlipLeg, type Sent, type SlipLeg } from '@/lib/bets/rules';
import { readStored, removeStored, writeStored } from './storage';
import { viewerNow } from './viewer';

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
async function read(from: string): Promise<readonly Draft[]> {
  const stored = await readStored(from);
  return (Array.isArray(stored) ? stored : [stored]).map(draftIn).filter((draft) => draft !== null);
}

/** The newest tip that the member was writing on this device, of those that are wanted; null without one. */
export async function readDraft(isWanted: (draft: Draft) => boolean = () => true): Promise<Draft | null> {
  return (await read(key())).find(isWanted) ?? null;
}

let turn: Promise<void> = Promise.resolve();

/** One change after the other, in all tabs: a slow one must not bring back what was forgotten since. */
function change(edit: (drafts: readonly Draft[]) => readonly Draft[]): Promise<void> {
  const own = key();
  const act = async () => {
    const drafts = edit(await read(own));
    await (drafts.length > 0 ? writeStored(own, drafts) : removeStored(own));
  };
  if (typeof navigator !== 'undefined' && 'locks' in navigator) return navigator.locks.request(lockName, act);
  return (turn = turn.then(act, act));
}

const without = (drafts: readonly Draft[], selectionId: number) =>
  drafts.filter(({ leg }) => leg.selectionId !== selectionId);

/** Keeps the tip as it is written, one for each selection; the oldest go. */
export function keepDraft(draft: Draft): Promise<void> {
  return change((drafts) => [draft, ...without(drafts, draft.leg.selectionId)].slice(0, mostKept));
}

/** Forgets the tip on a selection, as once it was published. */
export function forgetDraft(selectionId: number): Promise<void> {
  return change((drafts) => without(drafts, selectionId));
}
