import { sports } from '@/lib/reference/schema';
import type { TipAnswer, TipPage, TipView } from '../schema';

/** Spec §3: a tip as calls answer with it, with what it was bet on as `tipBetItem`: none where the viewer does not see its legs. */
export function tipAnswer(tip: TipView): TipAnswer {
  const tipBetItem = tip.legs.map(
    ({ fixtureReference, fixtureName, sportReference, leagueName, startsAt, score, finalScore }) => ({
      fixtureReference,
      fixture: {
        reference: fixtureReference,
        name: fixtureName,
        sportReference,
        league: { name: leagueName, sportId: sports.find(({ reference }) => reference === sportReference)?.id ?? 0 },
        leagueName,
        startsAt,
        score,
        finalScore,
      },
    }),
  );
  return { ...tip, tipBetItem };
}

/** A page of tips as calls answer with it. */
export function tipPageAnswer({ items, next }: TipPage): { items: TipAnswer[]; next: number | null } {
  return { items: items.map(tipAnswer), next };
}
