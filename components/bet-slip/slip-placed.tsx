import { formatCount } from '@/lib/format';
import { FormMessage } from '../ui/form-message';
import { SiteLink } from '../ui/site-link';
import type { Placed } from './submit-slip';

const wordOf = {
  tips: (count: number) => `${formatCount(count, 'tip was', 'tips were')} published: `,
  own: (count: number) => `${formatCount(count, 'bet is', 'bets are')} in your record: `,
};

/** What was placed since the slip was opened, as tips and as bets of one's own, and where each is. */
export function SlipPlaced({ placed }: { placed: readonly Placed[] }) {
  return (['tips', 'own'] as const).map((kind) => {
    const own = placed.filter((each) => each.kind === kind);
    if (own.length === 0) return null;
    return (
      <FormMessage key={kind} kind="success">
        {wordOf[kind](own.length)}
        {own.map(({ text, href }, index) => (
          <span key={href}>
            {index > 0 && ', '}
            <SiteLink href={href}>{text}</SiteLink>
          </span>
        ))}
        .
      </FormMessage>
    );
  });
}
