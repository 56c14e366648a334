import type { WebhookStatus } from '@/lib/webhooks/rules';
import { StaffForm } from './staff-form';

/** What staff can do with a webhook delivery as it stands. */
export function WebhookActions({ delivery, standing }: { delivery: string; standing: WebhookStatus['name'] }) {
  const shared = { call: 'POST /admin/webhooks/{delivery}', params: { delivery } } as const;
  if (standing === 'sent') return <p>It was sent. Nothing can be done about it, and nobody gets it twice.</p>;
  if (standing === 'sending') return <p>It is being sent at this moment. Look again in a minute.</p>;
  return (
    <>
      {(standing === 'failed' || standing === 'tried') && (
        <StaffForm
          {...shared}
          action="webhook.retry"
          lead="The next run sends the same body to the address that the owner has set now. The count of tries starts again."
        />
      )}
      {standing !== 'failed' && (
        <StaffForm
          {...shared}
          action="webhook.give-up"
          lead="It is not sent. The owner sees it as failed in the log of the webhook, and it can be tried again while it stands there."
        />
      )}
    </>
  );
}
