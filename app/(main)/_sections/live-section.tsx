import { LiveScores } from '@/components/fixtures/live-scores';
import { Island } from '@/components/islands/island';
import { guest } from '@/lib/http/viewer';
import { listLiveMatches } from '@/lib/fixtures/queries';

/** Spec §2.6, the live scores widget: what is under way at `now`, of one sport or all, which goes on by itself. */
export async function LiveSection({ sportId, now }: { sportId?: number; now: Date }) {
  const matches = await listLiveMatches(guest(), { sportId }, now);
  return (
    <Island name="live scores" props={{ sportId }}>
      <LiveScores matches={matches} now={now} named={sportId === undefined} />
    </Island>
  );
}
