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
        lead="It is put down for whoever it is for and who has not heard of it, as long as it is not older than two days. Nobody hears twice."
      />
    );
  return (
    <StaffForm
      {...shared}
      action="event.give-up"
      lead="Nobody else hears of it. Whoever it was put down for already keeps it. It can be spread again for two days."
    />
  );
}
