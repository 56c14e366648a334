import { formatAmount } from '@/lib/amounts';
import type { SaleView } from '@/lib/memberships/schema';
import { priceFor } from '@/lib/memberships/rules';
import { routes } from '@/lib/routes';
import { ButtonLink } from '../ui/button-link';
import styles from './join-plans.module.scss';
import { periodTitle, perPeriod, promiseWords } from './words';

type PlanListProps = { sale: SaleView; name: string; from?: string | undefined };

/** The plans on sale with their prices in every currency that they are sold in, the main one first, and, where one can join, the way to. */
export function PlanList({ sale: { portfolioReference, mainCurrencyId, plans, open }, name, from }: PlanListProps) {
  return (
    <ul className={styles.plans}>
      {plans.map((plan) => {
        const shown = priceFor(plan, { buy: undefined, main: mainCurrencyId });
        const others = plan.prices
          .filter((price) => price !== shown)
          .map(({ amountMinor, currencyId }) => formatAmount(amountMinor, currencyId));
        return (
          shown && (
            <li key={plan.period} className={styles.plan}>
              <strong className={styles.price}>{formatAmount(shown.amountMinor, shown.currencyId)}</strong>
              <span>{perPeriod[plan.period]}</span>
              {others.length > 0 && <span className={styles.small}>or {others.join(', ')}</span>}
              {open && (
                <ButtonLink
                  size="small"
                  href={routes.checkout(portfolioReference, { period: plan.period, from })}
                  aria-label={`Join ${name}, ${periodTitle[plan.period].toLowerCase()}`}
                >
                  Join
                </ButtonLink>
              )}
              {promiseWords(plan, plan.period).map((words) => (
                <span key={words}>{words}</span>
              ))}
            </li>
          )
        );
      })}
    </ul>
  );
}
