import fc from 'fast-check';
import { positionAt } from '@/lib/feeds/file-text';
import { scanJson } from '@/lib/feeds/json-text';

const elementsIn = (text: string): string[] =>
  scanJson(text, 'matches').elements.map((offset) => text.slice(offset, offset + 5));

describe('scanning JSON', () => {
  test.each([
    ['{"matches":[{"a":1},2, [3]]}', ['{"a":', '2, [3', '[3]]}']],
    ['{"other":[1],"matches":["]",{}],"last":[9]}', ['"]",{', '{}],"']],
    ['{"a":{"matches":[1]},"matches":[{"matches":[7,8]}]}', ['{"mat']],
    ['{"matches":[1],"matches":[22222]}', ['22222']],
    ['{"\\u006datches":[55555]}', ['55555']],
    ['{"matches":[]}', []],
    ['["matches",[1]]', []],
    ['"matches"', []],
  ])('finds the elements of the list in %s', (text, expected) => {
    expect(scanJson(text, 'matches').fault).toBeNull();
    expect(elementsIn(text)).toEqual(expected);
  });

  test.each([
    ['{"a":1,}', 7, 'a name in quotation marks'],
    ['{"a" 1}', 5, 'a colon'],
    ['{"a":}', 5, 'a value'],
    ['{"a":tru}', 5, 'a value'],
    ['[1 2]', 3, 'a comma or the end of the object or list'],
    ['[1}', 2, 'a comma or the end of the object or list'],
    ['{"a":1]', 6, 'a comma or the end of the object or list'],
    ['[01]', 2, 'a comma or the end of the object or list'],
    ['{} x', 3, 'the end of the file'],
    ['', 0, 'a value'],
    ['["a\\x"]', 3, 'an escape such as \\n or \\u00e9'],
    ['["a\nb"]', 3, 'a printable character or the closing quotation mark'],
    ['["ab', 4, 'the closing quotation mark'],
    ['{"matches":[', 12, 'a value or ]'],
  ])('finds the fault in %j at %i', (text, offset, expected) => {
    expect(scanJson(text, 'matches').fault).toEqual({ offset, expected });
  });

  test('reads a text of any depth', () => {
    expect(scanJson('['.repeat(500_000) + ']'.repeat(500_000), 'matches').fault).toBeNull();
    expect(scanJson('{"a":'.repeat(500_000), 'matches').fault).toEqual({ offset: 2_500_000, expected: 'a value' });
  });

  test('agrees with JSON.parse on what is JSON and what is not', () => {
    const texts = fc
      .json()
      .chain((text) =>
        fc.tuple(fc.constant(text), fc.nat(text.length), fc.constantFrom('', ',', '"', '}', '[', '\\', '0', ' ', 'n')),
      );
    fc.assert(
      fc.property(texts, fc.boolean(), ([text, at, inserted], cuts) => {
        const mutated = cuts ? text.slice(0, at) : text.slice(0, at) + inserted + text.slice(at + 1);
        let valid = true;
        try {
          JSON.parse(mutated);
        } catch {
          valid = false;
        }
        expect(scanJson(mutated, 'matches').fault === null).toBe(valid);
      }),
      { numRuns: 2000 },
    );
  });
});

test.each([
  [0, 1, 1],
  [2, 1, 3],
  [3, 2, 1],
  [5, 3, 1],
  [9, 4, 2],
])('offset %i stands in line %i, column %i', (offset, line, column) => {
  expect(positionAt('ab\nc\nd\r\nef', offset)).toEqual({ line, column });
});
