'use client';

import { routes } from '@/lib/routes';
import { ButtonLink } from '../ui/button-link';
import { useLazy } from './use-lazy';

type FollowButtonProps = { portfolioReference: string; name: string; size?: 'medium' | 'small' };

const load = () => import('./follow-control');

/** Follows a tipster or no longer; a guest is led to the login and back to the tipster. */
export function FollowButton({ portfolioReference, name, size = 'medium' }: FollowButtonProps) {
  const parts = useLazy(load);
  const entrance = (
    <ButtonLink href={routes.login({ redirect_to: routes.portfolio(portfolioReference) })} look="secondary" size={size} aria-label={`Follow ${name}`}>
      Follow
    </ButtonLink>
  );
  return parts ? <parts.FollowControl portfolioReference={portfolioReference} name={name} size={size} entrance={entrance} /> : entrance;
}
