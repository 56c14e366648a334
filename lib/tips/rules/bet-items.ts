import type { TipAnswer, TipPage, TipView } from '../schema';

/** Spec §3: a tip as calls answer with it, with what it was bet on as `tipBetItem`: none where the viewer does not see its legs. */
export function tipAnswer(tip: TipView): TipAnswer {
  const tipBetItem = tip.legs.map(
    ({ fixtureReference, fixtureName, sportReference, leagueName, startsAt, finalScore }) => ({
      fixtureReference,
      fixture: { reference: fixtureReference, name: fixtureName, sportReference, leagueName, startsAt, finalScore },
    }),
  );
  return { ...tip, tipBetItem };
}

/** A page of tips as calls answer with it. */
export function tipPageAnswer({ items, next }: TipPage): { items: TipAnswer[]; next: number | null } {
  return { items: items.map(tipAnswer), next };
}
