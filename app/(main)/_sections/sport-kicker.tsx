import { SiteLink } from '@/components/ui/site-link';
import { sports } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';

/** The sport that a page is about, with the way to its page; nothing without one. */
export function SportKicker({ reference }: { reference: string | null }) {
  const sport = sports.find((known) => known.enabled && known.reference === reference);
  return sport ? <SiteLink href={routes.sport(sport.reference)}>{sport.name}</SiteLink> : null;
}
