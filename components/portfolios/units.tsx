import { formatUnits } from '@/lib/format';
import { Profit } from '../ui/profit';

/** A profit in units by sign, shape and colour; `hundredths` is a whole number of hundredths of a unit. */
export function Units({ hundredths }: { hundredths: number | string }) {
  const amount = Number(hundredths);
  return <Profit sign={amount > 0 ? 'profit' : amount < 0 ? 'loss' : 'level'}>{formatUnits(amount, { sign: true })}</Profit>;
}
