import { useEffect, useRef } from 'react';
import type { SlipLeg } from '@/lib/bets/rules';
import type { OwnPortfolio } from '@/lib/portfolios/schema';
import { routes } from '@/lib/routes';
import { Button } from '../ui/button';
import { SiteLink } from '../ui/site-link';
import { PortfolioKind } from './limits';
import styles from './published-tip.module.scss';

type PublishedTipProps = { leg: SlipLeg; portfolio: OwnPortfolio; reference: string; onClose: () => void };

/** The tip is published: where it is, where it stands in the record, and how to go on. */
export function PublishedTip({ leg, portfolio, reference, onClose }: PublishedTipProps) {
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => next.current?.focus(), []);
  return (
    <div className={styles.published}>
      <p role="status" className={styles.word}>
        Published in {portfolio.name}: {leg.selectionName} at {leg.bookmakerName}.
      </p>
      <ul>
        <li>
          <SiteLink href={routes.tip(portfolio.reference, reference)}>See the tip</SiteLink>
        </li>
        {portfolio.type !== PortfolioKind.personal && (
          <li>
            <SiteLink href={routes.ledger({ tip: reference })}>See it in the record</SiteLink>
          </li>
        )}
        <li>
          <SiteLink href={routes.addTips(leg.sportReference)}>Choose another fixture</SiteLink>
        </li>
      </ul>
      <Button ref={next} onClick={onClose}>
        Add another
      </Button>
    </div>
  );
}
