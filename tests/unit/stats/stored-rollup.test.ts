import fc from 'fast-check';
import { z } from 'zod';
import { foldBreakdowns, foldTips } from '@/lib/stats/rules';
import { comesAfter, foldDay, mergedDay, storedDay, storedFold } from '@/lib/stats/rules/stored-day';
import { breakdownIn, rollupIn, storedBreakdown, storedRollup } from '@/lib/stats/rules/stored-rollup';
import { breakdownKinds } from '@/lib/stats/schema';
import { breakdownSchema, rollupSchema } from '@/lib/stats/schema/rollups';
import { anyTips } from './tips';

const json = (value: unknown): never => JSON.parse(JSON.stringify(value)) as never;

test('a stored rollup and a stored breakdown are what the schemas write and read', () => {
  fc.assert(
    fc.property(anyTips, (tips) => {
      const rollup = foldTips(tips);
      expect(storedRollup(rollup)).toEqual(z.encode(rollupSchema, rollup));
      expect(rollupIn(json(storedRollup(rollup)))).toEqual(rollup);
      expect(rollupSchema.parse(json(storedRollup(rollup)))).toEqual(rollup);
      const breakdowns = foldBreakdowns(tips);
      for (const kind of breakdownKinds) {
        expect(storedBreakdown(breakdowns[kind])).toEqual(z.encode(breakdownSchema, breakdowns[kind]));
        expect(breakdownIn(json(storedBreakdown(breakdowns[kind])))).toEqual(breakdowns[kind]);
      }
    }),
    { seed: 11, numRuns: 60 },
  );
});

test('a stored day that goes on with later tips is the fold of all of them', () => {
  fc.assert(
    fc.property(anyTips, fc.nat(), (tips, cut) => {
      const place = tips.length === 0 ? 0 : cut % (tips.length + 1);
      const [before, after] = [tips.slice(0, place), tips.slice(place)];
      const stored: ReturnType<typeof storedDay> = json(storedDay(before));
      expect(comesAfter(foldDay(after), stored)).toBe(true);
      if (before.length > 0 && after.length > 0)
        expect(comesAfter(foldDay([...before.slice(-1), ...after]), stored)).toBe(false);
      const merged = storedFold(mergedDay(stored, foldDay(after)));
      const whole = storedDay(tips);
      expect({ rollup: merged.rollup, breakdowns: merged.breakdowns }).toEqual({
        rollup: whole.rollup,
        breakdowns: whole.breakdowns,
      });
      // Sports that the later tips do not touch keep the rows that they have.
      const rows = new Map([...stored.sports, ...merged.sports].map(({ sportId, rollup }) => [sportId, rollup]));
      expect(rows).toEqual(new Map(whole.sports.map(({ sportId, rollup }) => [sportId, rollup])));
    }),
    { seed: 12, numRuns: 60 },
  );
});
