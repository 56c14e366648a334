import fc from 'fast-check';
import { safeRedirect } from '@/lib/access/rules';
import { hosts, payloads, safe, schemes, slashes } from '../../support/redirect-payloads';

const site = 'https://tipledger.example';

test('the payloads are some hundreds', () => {
  expect(payloads.size).toBeGreaterThan(700);
});

test.each(safe)('the address %s of this site is followed as it is', (path) => {
  expect(safeRedirect(path)).toBe(path);
});

test('nothing is followed that could lead elsewhere: schemes, second slashes, backslashes, user names, encodings, control and invisible characters', () => {
  const followed = [...payloads].filter((payload) => safeRedirect(payload) !== null);
  expect(followed).toEqual([]);
});

test.each([null, undefined, ''])('%p is no address', (given) => {
  expect(safeRedirect(given)).toBeNull();
});

// As a browser reads a Location header and a link; as a server may that decodes once more than it should.
function ends(path: string): string[] {
  const readings = [path, path.replace(/[\t\n\r]/g, ''), path.trim()];
  try {
    readings.push(decodeURIComponent(path), decodeURIComponent(decodeURIComponent(path)));
  } catch {
    // A text that cannot be decoded is read in no further way.
  }
  return readings.map((reading) => new URL(reading, `${site}/login`).origin);
}

test('whatever is followed stays on this site, for every reader, whatever it was made of', () => {
  const piece = fc.constantFrom(
    ...slashes,
    ...schemes,
    ...hosts,
    '/',
    '.',
    '..',
    ':',
    '@',
    '?',
    '#',
    '%',
    '%25',
    '%2e',
    'a',
    'dashboard',
    ' ',
    '%20',
    ';',
    '&',
    '=',
  );
  const made = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(
      fc.oneof(
        made,
        made.map((text) => `/${text}`),
        fc.string({ unit: 'binary', maxLength: 40 }).map((text) => `/${text}`),
      ),
      (text) => {
        const followed = safeRedirect(text);
        if (followed !== null) expect([followed, ...new Set(ends(followed))]).toEqual([text, site]);
      },
    ),
    { numRuns: 5_000 },
  );
});
