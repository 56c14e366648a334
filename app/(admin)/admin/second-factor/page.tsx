import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { FactorForm } from '@/components/admin/factor-form';
import { FactorSetUp } from '@/components/admin/factor-set-up';
import { safeRedirect } from '@/lib/access/rules';
import { pageMetadata, type PageQuery, single } from '@/lib/pages/page';
import { readStaffEntrant } from '@/lib/pages/staff-page';
import { routes } from '@/lib/routes';
import { findFactorState } from '@/lib/staff/queries';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = pageMetadata({
  title: 'Second factor',
  description: 'Where staff set up and show their second factor.',
  path: routes.staffEntry(),
  index: false,
});

type SecondFactorPageProps = { searchParams: Promise<PageQuery> };

export default async function SecondFactorPage({ searchParams }: SecondFactorPageProps) {
  const asked = await searchParams;
  const viewer = await readStaffEntrant(routes.staffEntry(), asked);
  const target = safeRedirect(single(asked.redirect_to)) ?? routes.admin();
  const state = await findFactorState(viewer);
  if (state === 'proven') redirect(target);
  return state === 'missing' ? (
    <>
      <h1>Set up your second factor</h1>
      <p className={styles.lead}>
        What staff can do needs more than a password. Put a key into an authenticator on your phone; from then on you
        enter its six digits when you come here.
      </p>
      <FactorSetUp target={target} />
    </>
  ) : (
    <>
      <h1>Enter your second-factor code</h1>
      <p className={styles.lead}>
        Enter the six digits that your authenticator shows now. They are asked for again after half an hour without use.
      </p>
      <FactorForm target={target} />
    </>
  );
}
