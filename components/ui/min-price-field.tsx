import type { OddsDisplay } from '@/lib/reference/schema';
import { Field } from './field';

type MinPriceFieldProps = {
  display: OddsDisplay;
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
};

/** The price below which a tipster would not take the tip; optional. */
export function MinPriceField({ display, value, onChange, error }: MinPriceFieldProps) {
  return (
    <Field
      name="minPrice"
      label="Lowest price worth taking"
      hint="Optional. When no bookmaker offers it any more, readers see that the price has gone."
      // A keyboard for figures has neither stroke nor sign.
      inputMode={display === 'decimal' ? 'decimal' : 'text'}
      autoComplete="off"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
    />
  );
}
