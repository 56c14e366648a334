import { PlanList } from '@/components/memberships/plan-list';
import { Island } from '@/components/islands/island';
import { Badge } from '@/components/ui/badge';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { getProSale, listProPortfolios } from '@/lib/memberships/queries';
import { proName } from '@/lib/memberships/rules';
import { routes } from '@/lib/routes';
import { contentMetadata, LonePage } from '../../(main)/_sections/content-page';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => contentMetadata('pages', 'pro');

export default async function ProPage() {
  const [sale, portfolios] = await Promise.all([getProSale(), listProPortfolios()]);
  return (
    <LonePage
      reference="pro"
      before={
        <section aria-labelledby="plans">
          <SectionHeading id="plans">{proName}</SectionHeading>
          <Island name="own pro" props={{}}>
            {sale.open ? (
              <>
                <PlanList sale={sale} name={proName} />
                <p className={styles.terms}>Renews until you cancel. Money back for unused days within 14 days.</p>
              </>
            ) : (
              <p>{sale.why}</p>
            )}
          </Island>
        </section>
      }
    >
      <section aria-labelledby="portfolios">
        <SectionHeading id="portfolios">Portfolios that take part</SectionHeading>
        {portfolios.length === 0 ? (
          <p>
            No portfolios take part yet. <SiteLink href={routes.tipsters()}>All tipsters</SiteLink>
          </p>
        ) : (
          <ul className={styles.portfolios}>
            {portfolios.map(({ reference, name, owner, demo }) => (
              <li key={reference}>
                <SiteLink href={routes.portfolio(reference)}>{name}</SiteLink>
                <span className={styles.owner}>by {owner}</span>
                {demo && <Badge tone="notice">Demo data</Badge>}
              </li>
            ))}
          </ul>
        )}
      </section>
    </LonePage>
  );
}
