import { formatUnits } from '@/lib/format';
import { Profit } from './profit';

/** A profit in units by sign, shape and colour; `hundredths` is a whole number of hundredths of a unit, in digits where it is large. */
export function Units({ hundredths }: { hundredths: number | string }) {
  const amount = BigInt(hundredths);
  return (
    <Profit sign={amount > 0n ? 'profit' : amount < 0n ? 'loss' : 'level'}>
      {formatUnits(amount, { sign: true })}
    </Profit>
  );
}
