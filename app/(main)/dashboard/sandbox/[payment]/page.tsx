import type { Metadata } from 'next';
import { AccountCard } from '@/components/account/account-card';
import { SandboxForm } from '@/components/memberships/sandbox-form';
import { Badge } from '@/components/ui/badge';
import { ButtonLink } from '@/components/ui/button-link';
import { formatAmount } from '@/lib/amounts';
import { getSandboxPayment } from '@/lib/money/queries';
import { orNotFound, pageMetadata, type PageQuery } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { readMember } from '../../_sections/read-member';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = pageMetadata({
  title: 'Sandbox payment',
  description: 'A payment in the sandbox, where no money moves.',
  path: routes.dashboard('memberships'),
  index: false,
});

type SandboxPageProps = { params: Promise<{ payment: string }>; searchParams: Promise<PageQuery> };

export default async function SandboxPage({ params, searchParams }: SandboxPageProps) {
  const { payment: reference } = await params;
  const { viewer } = await readMember(routes.sandboxPayment(reference), await searchParams);
  const payment = await orNotFound(getSandboxPayment(viewer, reference));
  return (
    <AccountCard
      title={payment.amountMinor === 0 ? 'Sandbox card' : 'Sandbox payment'}
      intro={
        <>
          <Badge tone="notice">Sandbox: no money moves</Badge> {payment.description}
          {payment.amountMinor === 0
            ? '. Nothing is paid now. Choose the card to save.'
            : `, ${formatAmount(payment.amountMinor, payment.currencyId)}. Choose the outcome of the payment.`}
        </>
      }
    >
      {payment.status === 'started' ? (
        <SandboxForm payment={payment} />
      ) : (
        <>
          <p>This payment already has an outcome.</p>
          <p>
            <ButtonLink href={payment.returnPath ?? routes.dashboard('memberships')}>See the outcome</ButtonLink>
          </p>
        </>
      )}
    </AccountCard>
  );
}
