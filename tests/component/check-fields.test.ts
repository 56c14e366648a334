import { checkFields } from '@/components/ui/check-fields';

const why = (input: string, value: string) => {
  document.body.innerHTML = `<form>${input}</form>`;
  const [form] = document.forms;
  const [control] = form?.elements ?? [];
  if (!form || !(control instanceof HTMLInputElement)) throw new Error('no form');
  control.value = value;
  return checkFields(form)[control.name];
};

test.each([
  ['min="1" max="100" step="1"', '150', 'Enter a whole number from 1 to 100.'],
  ['min="1"', '1.5', 'Enter a whole number, 1 or more.'],
  ['min="0.01" step="0.01"', '1.234', 'Enter a number, 0.01 or more, with two decimal places at most.'],
  ['max="5" step="any"', '6', 'Enter a number, 5 or less.'],
  ['max="5" data-mismatch="Five units is the most."', '6', 'Five units is the most.'],
])('a number in a field with %s that does not take %s is told what it takes', (bounds, value, refusal) => {
  expect(why(`<input name="amount" type="number" ${bounds}>`, value)).toBe(refusal);
});

test('a day out of range is not called a number', () => {
  expect(why('<input name="day" type="date" max="2026-01-01">', '2026-02-01')).toBe(
    'This value is not in the allowed range.',
  );
});
