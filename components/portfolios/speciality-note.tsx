import { formatNumber } from '@/lib/format';
import type { Speciality } from '@/lib/stats/schema';

/** What a tipster mostly tips on, with the count that says so. */
export function SpecialityNote({ speciality: { label, tips, of } }: { speciality: Speciality }) {
  return (
    <span title="Of the tips settled in the past 12 months">
      {label}: {formatNumber(tips)} of {formatNumber(of)} tips
    </span>
  );
}
