'use client';

import { routes } from '@/lib/routes';
import { choosePortfolio } from '../state/viewer';
import { ButtonLink } from '../ui/button-link';
import { SiteLink } from '../ui/site-link';

type OwnerAddTipProps = { reference: string; name: string; look?: 'link' | 'button'; children?: string };

/** Leads a portfolio's owner to where tips are added, with this portfolio as the current one. */
export function OwnerAddTip({ reference, name, look = 'link', children = 'Add tip' }: OwnerAddTipProps) {
  const Way = look === 'link' ? SiteLink : ButtonLink;
  return (
    <Way href={routes.addTips()} aria-label={`${children}: ${name}`} onClick={() => void choosePortfolio(reference)}>
      {children}
    </Way>
  );
}
