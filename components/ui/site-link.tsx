import Link from 'next/link';
import type { ComponentProps } from 'react';

type SiteLinkProps = Omit<ComponentProps<typeof Link>, 'prefetch' | 'href'> & { href: string };

// A page full of links would otherwise ask the server for every one of them as it scrolls into view.
export function SiteLink(props: SiteLinkProps) {
  return <Link prefetch={false} {...props} />;
}
