import { affiliateCodeIn, cleanAffiliateCode } from '@/components/state/affiliate';
import { seesAds } from '@/components/state/ads';
import { Role } from '@/lib/reference/schema';

test.each([
  ['ann42', 'ann42'],
  ['An-n 4_2!', 'Ann42'],
  ['<script>', 'script'],
  ['é1', '1'],
  ['---', null],
  ['', null],
  ['a'.repeat(100), 'a'.repeat(64)],
])('of the affiliate code %j stays %j', (given, code) => {
  expect(cleanAffiliateCode(given)).toBe(code);
});

const now = Date.parse('2026-03-10T12:00:00Z');

test.each<[string, unknown, string | null]>([
  ['one that holds', { code: 'ann42', expiresAt: '2026-03-10T12:00:01Z' }, 'ann42'],
  ['one that is expired', { code: 'ann42', expiresAt: '2026-03-10T12:00:00Z' }, null],
  ['one whose expiry cannot be read', { code: 'ann42', expiresAt: 'soon' }, null],
  ['one whose expiry is no text', { code: 'ann42', expiresAt: 1e15 }, null],
  ['one without expiry', { code: 'ann42' }, null],
  ['one whose code is no text', { code: 42, expiresAt: '2027-01-01T00:00:00Z' }, null],
  ['nothing', undefined, null],
  ['a bare text', 'ann42', null],
])('of what was stored, %s counts as it should', (_, stored, code) => {
  expect(affiliateCodeIn(stored, now)).toBe(code);
});

const user = {
  hasActivePremiumPortfolio: false,
  hasActiveSubscription: false,
  hasProMembership: false,
  affiliateReference: null,
};
const member = (
  more: Partial<Omit<typeof user, 'affiliateReference'>> & { affiliateReference?: string } = {},
  role: Role = Role.user,
) => ({ kind: 'member', role, user: { ...user, ...more } }) as const;

test.each([
  ['a guest', { kind: 'guest' } as const, true],
  ['somebody not yet known', { kind: 'unknown' } as const, false],
  ['a plain member', member(), true],
  ['who has an active premium portfolio', member({ hasActivePremiumPortfolio: true }), false],
  ['a subscriber', member({ hasActiveSubscription: true }), false],
  ['a pro member', member({ hasProMembership: true }), false],
  ['an affiliate', member({ affiliateReference: 'ann' }), false],
  ['an admin', member({}, Role.admin), false],
  ['a super admin', member({}, Role.superAdmin), false],
])('advertising is for %s: %j → %s', (_, viewer, sees) => {
  expect(seesAds(viewer)).toBe(sees);
});
