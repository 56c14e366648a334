import type { SpreadStatus } from '@/lib/notifications/rules';
import { StaffForm } from './staff-form';

/** What staff can do with an event as far as it was spread. */
export function EventActions({ event, standing }: { event: string; standing: SpreadStatus['name'] }) {
  const shared = { call: 'POST /admin/news-events/{event}', params: { event } } as const;
  if (standing === 'old') return <p>It is no news any more. The next run removes it from the queue.</p>;
  if (standing === 'spread')
    return (
      <StaffForm
        {...shared}
        action="event.spread"
        lead="Everyone concerned who has no notification of it yet gets one, if the event is less than two days old. Nobody is notified twice."
      />
    );
  return (
    <StaffForm
      {...shared}
      action="event.give-up"
      lead="Nobody else is notified of it. Notifications that exist stay. It can be spread again for two days."
    />
  );
}
