import { formatDate } from '@/lib/format';
import { Time } from '../ui/time';

/** A day of the calendar, the same in every time zone. */
export function ContentDay({ day }: { day: string }) {
  return <Time dateTime={day}>{formatDate(`${day}T00:00:00Z`, { timeZone: 'UTC', style: 'day' })}</Time>;
}
