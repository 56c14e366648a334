import { createHash } from 'node:crypto';
import { speculationRules } from '@/lib/http/speculation-rules';
import { contentSecurityPolicy, securityHeaders } from '@/lib/http/security-headers';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});
const set = (variables: Record<string, string>) => void Object.assign(process.env, variables);

describe('the policy of a document', () => {
  test('allows nothing inline, no evaluation, no plug-in and no frame', () => {
    const policy = contentSecurityPolicy([hashOf('a()')]);
    expect(policy).toContain(`script-src 'self' ${hashOf('a()')} ${hashOf(speculationRules)};`);
    for (const directive of [
      "style-src 'self'",
      "object-src 'none'",
      "frame-ancestors 'none'",
      "base-uri 'self'",
      "form-action 'self'",
      "worker-src 'self'",
      "connect-src 'self'",
    ])
      expect(policy.split('; ')).toContain(directive);
    expect(policy).not.toMatch(/unsafe|http/);
  });

  test('lets in the origins that the operator trusts, and nobody else', () => {
    set({
      TIPLEDGER_TRUSTED_ORIGINS: 'https://ads.example  https://*.cmp.example',
      TIPLEDGER_SPORT_ICONS: 'https://cdn.example/icons',
    });
    const policy = contentSecurityPolicy([]).split('; ');
    expect(policy).toContain(`script-src 'self' ${hashOf(speculationRules)} https://ads.example https://*.cmp.example`);
    expect(policy).toContain("img-src 'self' data: https://cdn.example https://ads.example https://*.cmp.example");
    expect(policy).toContain("style-src 'self'");
    set({ TIPLEDGER_TRUSTED_ORIGINS: "https://a.example; script-src 'unsafe-inline'" });
    expect(() => contentSecurityPolicy([])).toThrow(/TIPLEDGER_TRUSTED_ORIGINS: must be origins such as/);
  });
});

test('a site that is reached by https says so for two years, and one by http does not', () => {
  set({ TIPLEDGER_SITE_URL: 'https://tipledger.example' });
  expect(securityHeaders()).toContainEqual(['strict-transport-security', 'max-age=63072000']);
  set({ TIPLEDGER_SITE_URL: 'http://localhost:3000' });
  expect(securityHeaders().map(([name]) => name)).toEqual([
    'x-content-type-options',
    'referrer-policy',
    'permissions-policy',
    'cross-origin-opener-policy',
    'cross-origin-resource-policy',
    'x-frame-options',
  ]);
});
