/** What a form that was sent without script and refused shows again: why, and what was typed, save the secrets. */
export type KeptForm = {
  message: string | null;
  fields: Readonly<Record<string, string>>;
  values: Readonly<Record<string, string>>;
};

/** A form that is shown for the first time. */
export const freshForm: KeptForm = { message: null, fields: {}, values: {} };
