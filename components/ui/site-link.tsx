import type { ComponentProps } from 'react';

type SiteLinkProps = Omit<ComponentProps<'a'>, 'href'> & { href: string };

/** A link within the site, which the browser follows to a document that it may have fetched ahead. */
export function SiteLink(props: SiteLinkProps) {
  return <a {...props} />;
}
