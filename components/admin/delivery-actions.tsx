import type { DeliveryStatus } from '@/lib/notifications/rules';
import { StaffForm } from './staff-form';

type DeliveryActionsProps = { delivery: string; standing: DeliveryStatus['name'] };

/** What staff can do with a notification as it stands. */
export function DeliveryActions({ delivery, standing }: DeliveryActionsProps) {
  const shared = { call: 'POST /admin/notifications/{delivery}', params: { delivery } } as const;
  if (standing === 'sent') return <p>It was sent. Nothing can be done about it, and nobody gets it twice.</p>;
  if (standing === 'sending') return <p>It is being sent at this moment. Look again in half a minute.</p>;
  return (
    <>
      {standing !== 'due' && (
        <StaffForm
          {...shared}
          action="delivery.retry"
          lead="Sending looks again at what the reader wants, may see and can be reached by: a tip that has started is left out, and quiet hours hold it. The count of tries starts again."
        />
      )}
      {standing !== 'failed' && standing !== 'dropped' && standing !== 'given-up' && (
        <StaffForm
          {...shared}
          action="delivery.give-up"
          lead="It does not go out by this way. The reader’s list and other ways stay as they are, and it can be tried again later."
        />
      )}
    </>
  );
}
