import { formatCount } from '@/lib/format';
import { FormMessage } from '../ui/form-message';
import { SiteLink } from '../ui/site-link';
import type { Placed } from './submit-slip';

/** What was placed since the slip was opened, and where each bet is. */
export function SlipPlaced({ placed, kind }: { placed: readonly Placed[]; kind: 'tips' | 'own' }) {
  if (placed.length === 0) return null;
  return (
    <FormMessage kind="success">
      {kind === 'tips'
        ? `${formatCount(placed.length, 'tip was', 'tips were')} published: `
        : `${formatCount(placed.length, 'bet is', 'bets are')} in your record: `}
      {placed.map(({ text, href }, index) => (
        <span key={href}>
          {index > 0 && ', '}
          <SiteLink href={href}>{text}</SiteLink>
        </span>
      ))}
      .
    </FormMessage>
  );
}
