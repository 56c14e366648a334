import { useAtomValue } from 'jotai';
import { viewerAtom } from '../state/viewer';
import { ButtonLink } from '../ui/button-link';

type OwnerLinkProps = { portfolio: string; href: string; title: string; look?: 'primary' | 'secondary' };

/** A link for the owner of a portfolio, whom only the browser knows, to what they can do there. */
export function OwnerLink({ portfolio, href, title, look = 'secondary' }: OwnerLinkProps) {
  const viewer = useAtomValue(viewerAtom);
  const isOwner = viewer.kind === 'member' && viewer.portfolios.some(({ reference }) => reference === portfolio);
  return isOwner ? (
    <ButtonLink look={look} size="small" href={href}>
      {title}
    </ButtonLink>
  ) : null;
}
