import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TipView } from '@/lib/tips/schema';
import { EmptyState } from '../ui/empty-state';
import { Icon } from '../ui/icon';
import { Term } from '../ui/term';
import { Moment } from '../formats/moment';

type TipLockProps = { lock: NonNullable<TipView['lock']>; opensAt: string; timeZone: string; zone?: ReactNode };

const words = { hidden: 'This tip is hidden until its start', members: 'This tip is for members until its start' };

/** What stands in the place of a tip for those for whom it is locked. */
export function TipLock({ lock, opensAt, timeZone, zone }: TipLockProps) {
  return (
    <EmptyState icon={<Icon of={Lock} size="large" />} title={words[lock]}>
      It was <Term of="sealed-tip">sealed</Term> in the record when it was published. Everyone can read it from{' '}
      <Moment at={opensAt} style="day-time" timeZone={timeZone} />
      {zone && <> {zone}</>}.
    </EmptyState>
  );
}
