import type { MailStatus } from '@/lib/notifications/rules';
import { StaffForm } from './staff-form';

/** What staff can do with a mail of the outbox as it stands. */
export function MailActions({ mail, standing }: { mail: string; standing: MailStatus['name'] }) {
  const shared = { call: 'POST /admin/mails/{mail}', params: { mail } } as const;
  if (standing === 'sending') return <p>It is being sent, or its last try has just failed. Look again in a minute.</p>;
  return (
    <>
      {standing !== 'due' && standing !== 'held' && (
        <StaffForm
          {...shared}
          action="mail.retry"
          lead="The next run hands it to the mail server, and the count of tries starts again. A code in it may have run out meanwhile."
        />
      )}
      {standing !== 'failed' && standing !== 'given-up' && (
        <StaffForm
          {...shared}
          action="mail.give-up"
          lead="It is not sent. It stays here until it is a month old, and can be tried again until then."
        />
      )}
    </>
  );
}
