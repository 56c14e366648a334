import { Badge, type BadgeTone } from './badge';

const looks: Record<string, { text: string; tone: BadgeTone }> = {
  won: { text: 'Won', tone: 'profit' },
  'half-won': { text: 'Half won', tone: 'profit' },
  placed: { text: 'Placed', tone: 'profit' },
  void: { text: 'Void', tone: 'plain' },
  'half-lost': { text: 'Half lost', tone: 'loss' },
  lost: { text: 'Lost', tone: 'loss' },
};

/** What became of a tip or a leg, in a word. */
export function OutcomeBadge({ outcome }: { outcome: string }) {
  const { text, tone } = looks[outcome] ?? { text: outcome, tone: 'plain' as const };
  return <Badge tone={tone}>{text}</Badge>;
}
