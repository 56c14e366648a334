import { createHash } from 'node:crypto';
import { contentSecurityPolicy, scriptHashes, securityHeaders } from '@/lib/entry/security-headers';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});
const set = (variables: Record<string, string>) => void Object.assign(process.env, variables);

describe('the hashes of a document', () => {
  test('are those of the scripts that stand in it, each once, exactly as they stand', () => {
    const html = '<script>a()</script><SCRIPT id="b">\n b("<p>") </SCRIPT><script>a()</script><script src="/x.js"></script><script async="" src="/y.js">c()</script>';
    expect(scriptHashes(html)).toEqual([hashOf('a()'), hashOf('\n b("<p>") ')]);
  });

  test('leave out data, which no browser runs', () => {
    expect(scriptHashes('<script type="application/ld+json">{}</script><script type="application/json">{}</script>')).toEqual([]);
  });

  test('are those of the text as browsers read it, with line feeds alone', () => {
    expect(scriptHashes('<script>a\r\nb</script>')).toEqual([hashOf('a\nb')]);
  });
});

describe('the policy of a document', () => {
  test('allows nothing inline, no evaluation, no plug-in and no frame', () => {
    const policy = contentSecurityPolicy('<script>a()</script>');
    expect(policy).toContain(`script-src 'self' ${hashOf('a()')};`);
    for (const directive of ["style-src 'self'", "object-src 'none'", "frame-ancestors 'none'", "base-uri 'self'", "form-action 'self'", "worker-src 'self'", "connect-src 'self'"]) expect(policy.split('; ')).toContain(directive);
    expect(policy).not.toMatch(/unsafe|http/);
  });

  test('lets in the origins that the operator trusts, and nobody else', () => {
    set({ TIPLEDGER_TRUSTED_ORIGINS: 'https://ads.example  https://*.cmp.example', TIPLEDGER_SPORT_ICONS: 'https://cdn.example/icons' });
    const policy = contentSecurityPolicy('').split('; ');
    expect(policy).toContain("script-src 'self' https://ads.example https://*.cmp.example");
    expect(policy).toContain("img-src 'self' data: https://cdn.example https://ads.example https://*.cmp.example");
    expect(policy).toContain("style-src 'self'");
    set({ TIPLEDGER_TRUSTED_ORIGINS: "https://a.example; script-src 'unsafe-inline'" });
    expect(() => contentSecurityPolicy('')).toThrow(/TIPLEDGER_TRUSTED_ORIGINS: must be origins such as/);
  });
});

test('a site that is reached by https says so for two years, and one by http does not', () => {
  set({ TIPLEDGER_SITE_URL: 'https://tipledger.example' });
  expect(securityHeaders()).toContainEqual(['strict-transport-security', 'max-age=63072000']);
  set({ TIPLEDGER_SITE_URL: 'http://localhost:3000' });
  expect(securityHeaders().map(([name]) => name)).toEqual(['x-content-type-options', 'referrer-policy', 'permissions-policy', 'cross-origin-opener-policy', 'x-frame-options']);
});
