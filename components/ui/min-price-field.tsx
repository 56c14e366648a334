import { Field } from './field';

type MinPriceFieldProps = { value: string; onChange: (text: string) => void; error: string | undefined };

/** The price below which a tipster would not take the tip; optional. */
export function MinPriceField({ value, onChange, error }: MinPriceFieldProps) {
  return (
    <Field
      name="minPrice"
      label="Lowest price worth taking"
      hint="Optional. When no bookmaker offers it any more, readers see that the price has gone."
      inputMode="decimal"
      autoComplete="off"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
    />
  );
}
