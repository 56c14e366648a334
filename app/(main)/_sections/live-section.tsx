import { LiveScores } from '@/components/fixtures/live-scores';
import { Island } from '@/components/islands/island';
import type { LiveMatch } from '@/lib/fixtures/schema';

/** Spec §2.6, the live scores widget: what is under way at `now`, of one sport or all, which goes on by itself. */
export function LiveSection({ sportId, matches, now }: { sportId?: number; matches: readonly LiveMatch[]; now: Date }) {
  return (
    <Island name="live scores" props={{ sportId }}>
      <LiveScores matches={matches} now={now} named={sportId === undefined} />
    </Island>
  );
}
