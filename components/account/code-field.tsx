import { Field } from '../ui/field';

/** The six digits of a mail, which a telephone may fill in; spaces around them do no harm. */
export function CodeField({ error }: { error: string | undefined }) {
  return (
    <Field
      name="code"
      label="Six-digit code"
      hint="Sent by e-mail; valid for 10 minutes."
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="\s*[0-9]{6}\s*"
      data-mismatch="Enter the six digits from the e-mail."
      required
      data-missing="Enter the six digits from the e-mail."
      error={error}
    />
  );
}
