import type { SaleView } from '@/lib/memberships/schema';
import { Island } from '../islands/island';
import { SectionHeading } from '../ui/section-heading';
import styles from './join-plans.module.scss';
import { PlanList } from './plan-list';

type JoinPlansProps = {
  sale: SaleView;
  name: string /** The page of this site that whoever joins goes on to. */;
  from?: string;
};

/** What a membership costs and the way to join, the same for everybody; a member’s own is shown beside it by an island. Nothing where nothing is sold. */
export function JoinPlans({ sale, name, from }: JoinPlansProps) {
  const { portfolioReference, plans, open, why, trialDays } = sale;
  if (plans.length === 0 || portfolioReference === null) return null;
  return (
    <section aria-labelledby="join" className={styles.join}>
      <SectionHeading id="join">Membership</SectionHeading>
      <Island name="own membership" props={{ portfolio: portfolioReference }}>
        <p>
          Members read the tips of {name} before they start.
          {trialDays > 0 && ` Free for the first ${trialDays === 1 ? 'day' : `${trialDays} days`}.`}
        </p>
        <PlanList sale={sale} name={name} from={from} />
        {why && <p>{why}</p>}
        {open && <p className={styles.small}>Renews until you cancel. Money back for unused days within 14 days.</p>}
      </Island>
    </section>
  );
}
