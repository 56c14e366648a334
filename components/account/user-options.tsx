'use client';

import { routes } from '@/lib/routes';
import { ButtonLink } from '../ui/button-link';
import { useLazy } from './use-lazy';

const load = () => import('./member-options');
const signals = ['member'] as const;

/** Spec §2.1: login and sign-up for guests, their options for members, fetched once one is known to be here. */
export function UserOptions() {
  const parts = useLazy(load, signals);
  const entrances = (
    <>
      <ButtonLink href={routes.login()} look="quiet" size="small" data-modal="login">
        Log in
      </ButtonLink>
      <ButtonLink href={routes.register()} size="small">
        Sign up
      </ButtonLink>
    </>
  );
  return parts ? <parts.MemberOptions entrances={entrances} /> : entrances;
}
