import { CircleCheck } from 'lucide-react';
import { formatCount } from '@/lib/format';
import { EmptyState } from '../ui/empty-state';
import { Icon } from '../ui/icon';
import { SiteLink } from '../ui/site-link';

/** Something that waits for a person: how many, in words for one and for more, where they are, and a line on each where no page lists them. */
export type WaitingItem = { count: number; one: string; many: string; href: string; lines?: readonly string[] };

/** Product §11: what needs a person now; says so when nothing does. */
export function WaitingList({ items }: { items: readonly WaitingItem[] }) {
  const open = items.filter(({ count }) => count > 0);
  if (open.length === 0) return <EmptyState icon={<Icon of={CircleCheck} />} title="Nothing to do now" />;
  return (
    <ul>
      {open.map(({ count, one, many, href, lines = [] }) => (
        <li key={many}>
          <SiteLink href={href}>{formatCount(count, one, many)}</SiteLink>
          {lines.length > 0 && (
            <ul>
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}
