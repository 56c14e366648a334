/** True for a path that every reader takes for the same: it can be decoded, names no other host, and has neither steps upwards nor control characters. */
export function isPlainPath(path: string): boolean {
  try {
    const decoded = decodeURIComponent(path);
    return (
      decoded.startsWith('/') &&
      !/\/\/|\\|\p{Cc}/u.test(decoded) &&
      !decoded.split('/').some((part) => part === '.' || part === '..')
    );
  } catch {
    return false;
  }
}

/** True for a query without U+0000, which no text holds that was written. */
export function isPlainQuery(query: string): boolean {
  return !/%00|\0/.test(query);
}

/** The address without the parameters that hold U+0000: nobody wrote them, and no text that is stored has it. */
export function withoutNul(address: string): string {
  if (isPlainQuery(address)) return address;
  const [path = '/', ...query] = address.split('?');
  const kept = query.join('?').split('&').filter(isPlainQuery).join('&');
  return kept === '' ? path : `${path}?${kept}`;
}

// Ours (0117): many more than any address of the site has.
const mostSegments = 32;

/** True for a path of more segments than any page has: Next looks at each of them. */
export const isTooDeep = (path: string): boolean => path.split('/', mostSegments + 2).length > mostSegments + 1;

// Ours (0117): many more than any page or call reads.
const mostParameters = 500;

/** The address with the first 500 of its parameters: Next, before it runs the middleware, reads the whole query anew for each. */
export function withFewParameters(address: string): string {
  const query = address.indexOf('?') + 1;
  const parts = query === 0 ? [] : address.slice(query).split('&', mostParameters + 1);
  return parts.length > mostParameters
    ? `${address.slice(0, query)}${parts.slice(0, mostParameters).join('&')}`
    : address;
}

/** The address with each letter, digit, hyphen, dot, underscore and tilde of its path spelled as itself: RFC 3986 §2.3 takes both spellings for one address. */
export function plainSpelling(address: string): string {
  const [path = '/', ...query] = address.split('?');
  const spelled = path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(letter) ? letter : code;
  });
  return [spelled, ...query].join('?');
}

/** The address without the parameter by which the router of Next tells its requests from those for documents. */
export function withoutRouterParameter(address: string): string {
  const [path = '/', ...query] = address.split('?');
  const kept = query
    .join('?')
    .split('&')
    .filter((part) => part !== '' && !/^_rsc(?:=|$)/.test(part))
    .join('&');
  return kept === '' ? path : `${path}?${kept}`;
}
