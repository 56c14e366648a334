import { useAtomValue } from 'jotai';
import { viewerAtom } from '../state/viewer';
import { ButtonLink } from '../ui/button-link';

type OwnerLinkProps = { portfolio: string; href: string; title: string };

/** A link for the owner of a portfolio, whom only the browser knows, to what they can do there. */
export function OwnerLink({ portfolio, href, title }: OwnerLinkProps) {
  const viewer = useAtomValue(viewerAtom);
  const isOwner = viewer.kind === 'member' && viewer.portfolios.some(({ reference }) => reference === portfolio);
  return isOwner ? (
    <ButtonLink look="secondary" size="small" href={href}>
      {title}
    </ButtonLink>
  ) : null;
}
