type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isControl = (element: Element): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

const lengthOf = (control: Control) => control.value.trim().length;

const placesOf: Readonly<Record<string, string>> = {
  '0.1': 'one decimal place',
  '0.01': 'two decimal places',
  '0.001': 'three decimal places',
};

/** What a field of a number takes, by its own bounds and step. */
function whyOutOfRange(control: Control): string {
  if (!(control instanceof HTMLInputElement) || control.type !== 'number')
    return 'This value is not in the allowed range.';
  const { min, max, step } = control;
  const range = min && max ? ` from ${min} to ${max}` : min ? `, ${min} or more` : max ? `, ${max} or less` : '';
  const places = placesOf[step];
  return `Enter a ${step === '' || step === '1' ? 'whole ' : ''}number${range}${places ? `, with ${places} at most` : ''}.`;
}

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
    return dataset.mismatch ?? whyOutOfRange(control);
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
