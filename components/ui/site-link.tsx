import type { ComponentProps } from 'react';

type SiteLinkProps = Omit<ComponentProps<'a'>, 'href'> & { href: string };

/** A link within the site (0027): a guest's browser follows it to a document that it may have fetched ahead, a member's goes through the router, see PageSteps. */
export function SiteLink(props: SiteLinkProps) {
  return <a {...props} />;
}
