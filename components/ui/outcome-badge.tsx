import type { LinkedTerm } from '@/lib/content/schema';
import { Badge, type BadgeTone } from './badge';
import { Term } from './term';

type Look = { text: string; tone: BadgeTone; term?: LinkedTerm };

const looks: Record<string, Look> = {
  won: { text: 'Won', tone: 'profit' },
  'half-won': { text: 'Half won', tone: 'profit', term: 'half-won-and-half-lost' },
  placed: { text: 'Placed', tone: 'profit', term: 'placed' },
  void: { text: 'Void', tone: 'plain', term: 'void' },
  'half-lost': { text: 'Half lost', tone: 'loss', term: 'half-won-and-half-lost' },
  lost: { text: 'Lost', tone: 'loss' },
};

/** What became of a tip or a leg, in a word; `explained` where it leads to what it means, which in a list would be a link in each row. */
export function OutcomeBadge({ outcome, explained = false }: { outcome: string; explained?: boolean }) {
  const { text, tone, term }: Look = looks[outcome] ?? { text: outcome, tone: 'plain' };
  return (
    <Term of={explained ? term : undefined}>
      <Badge tone={tone}>{text}</Badge>
    </Term>
  );
}
