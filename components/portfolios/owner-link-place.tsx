type OwnerLinkPlaceProps = { portfolio: string; href: string; title: string };

/** Where the owner of a portfolio, whom only the browser knows, gets a link to what they can do there. */
export function OwnerLinkPlace({ portfolio, href, title }: OwnerLinkPlaceProps) {
  return <span data-reading="owner" data-portfolio={portfolio} data-href={href} data-title={title} />;
}
