import { useAtomValue } from 'jotai';
import type { TipView } from '@/lib/tips/schema';
import { useOwn } from '../state/use-own';
import { viewerAtom } from '../state/viewer';
import { formatsOf } from '../formats/formats';
import { TipList } from './tip-list';
import { TipReading } from './tip-reading';

const isOpened = ({ lock, free, hidden, started }: TipView) => lock === null && !started && (hidden || !free);

/** A locked tip as the member may read it; nothing where it stays locked. */
export function OwnTip({ portfolio, tip: reference }: { portfolio: string; tip: string }) {
  const formats = formatsOf(useAtomValue(viewerAtom));
  const tip = useOwn('GET /portfolio/{reference}/tips/{tip}', { params: { reference: portfolio, tip: reference } });
  return tip && tip.lock === null ? <TipReading tip={tip} {...formats} /> : null;
}

/** The first `most` of a list of tips with those that open for the member; nothing where none does. */
export function OwnTips({ portfolio, skip, most }: { portfolio: string; skip: number; most: number }) {
  const formats = formatsOf(useAtomValue(viewerAtom));
  const page = useOwn('GET /portfolio/{reference}/tips', { params: { reference: portfolio }, query: { skip } });
  return page?.items.some(isOpened) ? <TipList tips={page.items.slice(0, most)} {...formats} /> : null;
}
