import { BookOpen } from 'lucide-react';
import { Glossary } from '@/components/content/glossary';
import { SectionLead } from '@/components/content/section-lead';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { listContent } from '@/lib/content/queries';
import { sections } from '@/lib/content/schema';
import { IndexEnd, indexMetadata } from '../_sections/content-index';
import { Markup } from '@/lib/pages/markup';

export const dynamic = 'force-dynamic';

// A glossary is one page: whoever looks a word up must find every letter.
const mostTerms = 1_000;

export const generateMetadata = () => indexMetadata('betting-terms');

export default async function BettingTermIndexPage() {
  const { items } = await listContent('betting-terms', { skip: 0, limit: mostTerms });
  const { title, lead } = sections['betting-terms'];
  return (
    <Markup>
      <SectionLead title={title}>{lead}</SectionLead>
      {items.length > 0 ? (
        <Glossary terms={items} />
      ) : (
        <EmptyState icon={<Icon of={BookOpen} size="large" />} title="No terms have been explained yet">
          What is published appears here at once.
        </EmptyState>
      )}
      <IndexEnd kind="betting-terms" />
    </Markup>
  );
}
