import type { Viewer } from '@/lib/access/schema';
import * as bets from '@/lib/bets/commands';
import type { BetInput } from '@/lib/bets/schema';
import { decidedAt } from '@/lib/platform/moment';
import * as posts from '@/lib/posts/commands';
import type { PostInput } from '@/lib/posts/schema';
import * as record from '@/lib/record/commands';
import * as settlement from '@/lib/settlement/commands';
import * as staff from '@/lib/settlement/commands/staff';
import * as tips from '@/lib/tips/commands';
import type { TipInput } from '@/lib/tips/schema';

/** The commands that decide at a moment of the database's, as they decide when it is this one. */
export const publishTip = (viewer: Viewer, portfolioReference: string, input: TipInput, at: Date) =>
  decidedAt(at, () => tips.publishTip(viewer, portfolioReference, input));

/** As `publishTip`, of a post. */
export const publishPost = (viewer: Viewer, portfolioReference: string, input: PostInput, at: Date) =>
  decidedAt(at, () => posts.publishPost(viewer, portfolioReference, input));

/** As `publishTip`, of a change of a post. */
export const editPost = (viewer: Viewer, edit: Parameters<typeof posts.editPost>[1], at: Date) =>
  decidedAt(at, () => posts.editPost(viewer, edit, at));

/** As `publishTip`, of a bet of one's own. */
export const placeBet = (viewer: Viewer, input: BetInput, key: string, at: Date) =>
  decidedAt(at, () => bets.placeBet(viewer, input, key));

/** As `publishTip`, of the commitments that open. */
export const openCommitments = (at: Date) => decidedAt(at, record.openCommitments);

/** As `publishTip`, of a checkpoint. */
export const signLedger = (at: Date) => decidedAt(at, record.signLedger);

/** As `publishTip`, of settlement. */
export const settleDueTips = (at: Date, options?: Parameters<typeof settlement.settleDueTips>[1]) =>
  decidedAt(at, () => settlement.settleDueTips(at, options));

/** As `publishTip`, of corrected results. */
export const resettleCorrected = (at: Date) => decidedAt(at, () => settlement.resettleCorrected(at));

/** As `publishTip`, of a ruling by staff. */
export const voidTip = (viewer: Viewer, tipReference: string, reason: string, at: Date) =>
  decidedAt(at, () => staff.voidTip(viewer, tipReference, reason));

/** As `publishTip`, of a ruling by staff. */
export const resettleTip = (viewer: Viewer, tipReference: string, reason: string, at: Date) =>
  decidedAt(at, () => staff.resettleTip(viewer, tipReference, reason, at));

/** As `publishTip`, of closing prices that became known late. */
export const countLateClosings = (at: Date) => decidedAt(at, () => settlement.countLateClosings(at));
