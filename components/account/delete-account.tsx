'use client';

import { amountsInWords } from '@/lib/amounts';
import { routes } from '@/lib/routes';
import { FieldCheck } from '../ui/field-check';
import { SiteLink } from '../ui/site-link';
import { TwoStepForm } from '../ui/two-step-form';
import { useForm } from '../ui/use-form';

type DeleteAccountProps = {
  /** What the member has earned and was not paid. */
  unpaid: readonly { currencyId: number; amountMinor: number }[];
};

/** Product §3: deletes the account in two steps: what it means, then the word for it. */
export function DeleteAccount({ unpaid }: DeleteAccountProps) {
  const { form, problem, isSending } = useForm(async () => {
    const [{ api }, { signOut }, { leaveFor }] = await Promise.all([
      import('../state/api'),
      import('../state/session'),
      import('../state/auth-navigation'),
    ]);
    await api('DELETE /account/delete');
    await signOut();
    leaveFor(routes.home());
  });

  return (
    <TwoStepForm
      meaning={
        <>
          Your name, address, settings, follows, bets, posts and pictures are deleted at once and for good. Tips that
          you published stay on the record, under “former tipster”: nobody can remove them.
          {unpaid.length > 0 && (
            <>
              {' '}
              <strong>{amountsInWords(unpaid)} that you earned is not paid out yet.</strong> Nobody can request it once
              the account is deleted. Request your payouts first, under{' '}
              <SiteLink href={routes.dashboard('services')}>My portfolios</SiteLink> or, for what you earned as an
              affiliate, under <SiteLink href={routes.affiliates('dashboard')}>Your affiliate link</SiteLink>.
            </>
          )}
        </>
      }
      words={{ begin: 'Delete my account', confirm: 'Delete for good', sending: 'Deleting…', leave: 'Keep my account' }}
      question="You may want to download your data first."
      form={form}
      message={problem.message}
      isSending={isSending}
    >
      <FieldCheck
        name="sure"
        label="Delete my account and everything that is mine alone."
        required
        data-missing="Tick this to delete your account."
        error={problem.fields.sure}
      />
    </TwoStepForm>
  );
}
