import { env } from '@/lib/platform/env';

/** A line of Set-Cookie for what scripts never read, sent only over TLS where the site has it; no seconds take the cookie away. */
export function cookieLine(name: string, value: string, maxAgeSeconds: number): string {
  const secure = env().siteUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
