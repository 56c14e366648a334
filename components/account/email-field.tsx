import type { ReactNode } from 'react';
import { Field } from '../ui/field';

type EmailFieldProps = { label?: ReactNode; defaultValue: string | undefined; error: string | undefined };

/** The e-mail address of an account. */
export function EmailField({ label = 'E-mail address', defaultValue, error }: EmailFieldProps) {
  return (
    <Field
      name="emailAddress"
      type="email"
      label={label}
      autoComplete="email"
      maxLength={254}
      required
      data-missing="Enter the e-mail address of your account."
      defaultValue={defaultValue}
      error={error}
    />
  );
}
