type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isControl = (element: Element): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

const lengthOf = (control: Control) => control.value.trim().length;

function whyRefused(control: Control): string | null {
  const { validity, dataset } = control;
  if (validity.valueMissing || (control.required && control.type !== 'checkbox' && lengthOf(control) === 0))
    return dataset.missing ?? 'Fill this in.';
  if (validity.typeMismatch)
    return control.type === 'email'
      ? 'Write an e-mail address such as name@example.com.'
      : 'This value is not in the expected format.';
  if ('minLength' in control && control.minLength > 0 && control.value && control.value.length < control.minLength)
    return `Use ${control.minLength} characters at least.`;
  if (validity.patternMismatch) return dataset.mismatch ?? 'This value is not in the expected format.';
  if (validity.rangeUnderflow || validity.rangeOverflow || validity.stepMismatch || validity.badInput)
    return dataset.mismatch ?? 'This number cannot be used.';
  return null;
}

/** Why the controls of a form refuse what is in them, by name; each control's own words in `data-missing` and `data-mismatch` come before ours. */
export function checkFields(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries(
    [...form.elements].flatMap((element) => {
      const why = isControl(element) && element.name && !element.disabled ? whyRefused(element) : null;
      return why && isControl(element) ? [[element.name, why]] : [];
    }),
  );
}
