import { ApiError } from '@/components/state/api';
import { classify, type ErrorSetting } from '@/components/state/browser-log';

const setting: ErrorSetting = {
  source: 'https://site.example/_next/static/chunks/a.js',
  thirdParties: ['https://tags.example'],
  isOnline: true,
  isModern: true,
};
const refused = (status: number) => new ApiError({ status, text: '', url: '/api/user' });

/** Thrown by Intl itself, as a browser does for a zone that it does not know. */
function intlError(): unknown {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: 'Nowhere/Land' });
  } catch (error) {
    return error;
  }
}

test.each<[string, unknown, Partial<ErrorSetting>, string, number | null, boolean]>([
  ['a refusal of the server', refused(503), {}, 'server_error', 503, false],
  ['a refused token', refused(401), {}, 'server_error', 401, true],
  ['a connection that failed', refused(0), {}, 'connection_error', null, false],
  ['a fetch that failed', new TypeError('Failed to fetch'), {}, 'connection_error', null, false],
  ['a fetch that failed in another browser’s words', new TypeError('Load failed'), {}, 'connection_error', null, false],
  [
    'a type error while offline',
    new TypeError('undefined is not a function'),
    { isOnline: false },
    'connection_error',
    null,
    false,
  ],
  ['what internationalisation throws', intlError(), {}, 'uncaught_browser_error', null, true],
  [
    'what a tag script throws',
    new Error('x'),
    { source: 'https://tags.example/tag.js' },
    'uncaught_browser_error',
    null,
    true,
  ],
  ['what a script of another origin throws', 'Script error.', {}, 'uncaught_browser_error', null, true],
  ['what was called off', new DOMException('Aborted', 'AbortError'), {}, 'uncaught_browser_error', null, true],
  ['anything else', new Error('x'), {}, 'uncaught_browser_error', null, false],
  ['anything else in an old browser', new Error('x'), { isModern: false }, 'obsolete_browser_error', null, false],
  ['a thrown nothing', undefined, {}, 'uncaught_browser_error', null, false],
  ['a range error of our own', new RangeError('There is no step 7.'), {}, 'uncaught_browser_error', null, false],
])('%s is classed as it should be', (_, error, more, name, status, isDebugOnly) => {
  expect(classify(error, { ...setting, ...more })).toMatchObject({ name, status, isDebugOnly });
});
