import { formatDate } from '@/lib/format';
import { Time } from '../ui/time';
import type { MomentStyle } from './marks';

type MomentProps = { at: string; style: MomentStyle; timeZone: string };

/** An instant in the time zone of the page; a member's own zone is laid over it in the browser. */
export function Moment({ at, style, timeZone }: MomentProps) {
  return (
    <Time dateTime={at} data-date={style}>
      {formatDate(at, { timeZone, style: style === 'time-of-day' ? 'time' : style })}
    </Time>
  );
}
