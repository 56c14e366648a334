import { useAtomValue } from 'jotai';
import { choosePortfolio, viewerAtom } from '../state/viewer';
import { ButtonLink } from '../ui/button-link';

type OwnerLinkProps = {
  portfolio: string;
  href: string;
  title: string;
  look?: 'primary' | 'secondary';
  isChosen?: boolean;
};

/** A link for the owner of a portfolio, whom only the browser knows, to what they can do there; where it `isChosen`, the portfolio is the current one from then on. */
export function OwnerLink({ portfolio, href, title, look = 'secondary', isChosen = false }: OwnerLinkProps) {
  const viewer = useAtomValue(viewerAtom);
  const isOwner = viewer.kind === 'member' && viewer.portfolios.some(({ reference }) => reference === portfolio);
  return isOwner ? (
    <ButtonLink
      look={look}
      size="small"
      href={href}
      {...(isChosen && { onClick: () => void choosePortfolio(portfolio) })}
    >
      {title}
    </ButtonLink>
  ) : null;
}
