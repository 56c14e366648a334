import { isSlipLeg, type SlipLeg } from '@/lib/bets/rules';
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

/** A tip that is being written; `isOpen` until the form is closed, so that it comes back after a login, a reload or a crash. */
export type Draft = { leg: SlipLeg; form: TipForm; isOpen: boolean };

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

/** The tip that the member was writing on this device; null without one. */
export async function readDraft(): Promise<Draft | null> {
  const stored = await readStored(key());
  if (
    typeof stored !== 'object' ||
    stored === null ||
    !('leg' in stored) ||
    !('form' in stored) ||
    !isSlipLeg(stored.leg) ||
    !isForm(stored.form)
  )
    return null;
  // Drafts from before have no least price.
  const minPrice = typeof stored.form.minPrice === 'string' ? stored.form.minPrice : '';
  return { leg: stored.leg, form: { ...stored.form, minPrice }, isOpen: 'isOpen' in stored && stored.isOpen === true };
}

let turn: Promise<void> = Promise.resolve();

/** One write after the other: a slow one must not bring back what was forgotten since. */
function inOrder(write: () => Promise<void>): Promise<void> {
  return (turn = turn.then(write, write));
}

/** Keeps the tip as it is written. */
export function keepDraft(draft: Draft): Promise<void> {
  const own = key();
  return inOrder(() => writeStored(own, draft));
}

/** Forgets the tip, as once it was published. */
export function forgetDraft(): Promise<void> {
  const own = key();
  return inOrder(() => removeStored(own));
}
