import type { SaleView } from '@/lib/memberships/schema';
import { priceFor } from '@/lib/memberships/rules';
import { routes } from '@/lib/routes';
import { Island } from '../islands/island';
import { ButtonLink } from '../ui/button-link';
import { SectionHeading } from '../ui/section-heading';
import styles from './join-plans.module.scss';
import { periodTitle, perPeriod, price } from './words';

type JoinPlansProps = {
  sale: SaleView;
  name: string /** The page of this site that whoever joins goes on to. */;
  from?: string;
};

/** What a membership costs and the way to join, the same for everybody; a member’s own is shown beside it by an island. Nothing where nothing is sold. */
export function JoinPlans({ sale, name, from }: JoinPlansProps) {
  const { portfolioReference, mainCurrencyId, plans, open, why, trialDays } = sale;
  if (plans.length === 0) return null;
  return (
    <section aria-labelledby="join" className={styles.join}>
      <SectionHeading id="join">Membership</SectionHeading>
      <Island name="own membership" props={{ portfolio: portfolioReference }}>
        <p>
          Members read the tips of {name} before they start.
          {trialDays > 0 && ` Free for the first ${trialDays} days.`}
        </p>
        <ul className={styles.plans}>
          {plans.map((plan) => {
            const shown = priceFor(plan, { buy: undefined, main: mainCurrencyId });
            return (
              shown && (
                <li key={plan.period} className={styles.plan}>
                  <strong className={styles.price}>{price(shown.amountMinor, shown.currencyId)}</strong>
                  <span>{perPeriod[plan.period]}</span>
                  {open && (
                    <ButtonLink
                      size="small"
                      href={routes.checkout(portfolioReference, { period: plan.period, from })}
                      aria-label={`Join ${name}, ${periodTitle[plan.period].toLowerCase()}`}
                    >
                      Join
                    </ButtonLink>
                  )}
                </li>
              )
            );
          })}
        </ul>
        {why && <p>{why}</p>}
        {open && <p className={styles.small}>Renews until you cancel. Money back for unused days within 14 days.</p>}
      </Island>
    </section>
  );
}
