import { env } from '@/lib/platform/env';

/** A line of Set-Cookie, for what scripts never read unless it says otherwise, sent only over TLS where the site has it; no seconds take the cookie away. */
export function cookieLine(name: string, value: string, maxAgeSeconds: number, { scripts = false } = {}): string {
  const secure = env().siteUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}${scripts ? '' : '; HttpOnly'}; SameSite=Lax${secure}`;
}
