import { memberCookieName } from '@/lib/accounts/schema';

/** True when this browser was given a session cookie that nobody has signed out of here; the server alone knows whether it still holds. */
export function hasMemberCookie(): boolean {
  return document.cookie.split('; ').includes(`${memberCookieName}=1`);
}

/** Keeps this browser from taking its session up again. */
export function dropMemberCookie(): void {
  document.cookie = `${memberCookieName}=; Path=/; Max-Age=0; SameSite=Lax`;
}
