import { TimeRange, timeRangeNames } from '@/lib/reference/schema';
import { LinkTabs } from '../ui/link-tabs';

type PeriodTabsProps = {
  period: TimeRange;
  /** The range of the address without a parameter. */
  home?: TimeRange;
  hrefOf: (period: TimeRange | undefined) => string;
};

const shown = [TimeRange.month, TimeRange.threeMonth, TimeRange.year, TimeRange.allTime];

/** The time ranges of statistics as links; all time is the address without a parameter unless another is. */
export function PeriodTabs({ period, home = TimeRange.allTime, hrefOf }: PeriodTabsProps) {
  const href = (choice: TimeRange) => hrefOf(choice === home ? undefined : choice);
  return (
    <LinkTabs
      label="Time range"
      look="segments"
      activeHref={href(period)}
      tabs={shown.map((choice) => ({ href: href(choice), title: timeRangeNames[choice] }))}
    />
  );
}
