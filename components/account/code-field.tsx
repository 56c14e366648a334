import { Field } from '../ui/field';

/** The six digits of a mail, which a telephone may fill in; spaces around them do no harm. */
export function CodeField({ error }: { error: string | undefined }) {
  return (
    <Field
      name="code"
      label="Six-digit code"
      hint="It came by mail and holds for ten minutes."
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="\s*[0-9]{6}\s*"
      data-mismatch="Type the six digits of the mail."
      required
      data-missing="Type the six digits of the mail."
      error={error}
    />
  );
}
