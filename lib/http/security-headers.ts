import { env } from '@/lib/platform/env';
import { thirdPartyOrigins } from './browser-config';
import { hashOf } from './own-scripts';
import { speculationRules } from './speculation-rules';
import type { Header } from './stored-answer';

const rulesHash = hashOf(speculationRules);

/** The policy of a document: the scripts that the program and Next put there by their hashes, nothing inline besides but rules for fetching pages ahead, and no origin but this one, those of the scripts that are configured and those of TIPLEDGER_TRUSTED_ORIGINS. */
export function contentSecurityPolicy(hashes: readonly string[]): string {
  const { NODE_ENV, TIPLEDGER_TRUSTED_ORIGINS, TIPLEDGER_SPORT_ICONS: icons } = env();
  const trusted = [...new Set([...TIPLEDGER_TRUSTED_ORIGINS, ...thirdPartyOrigins()])];
  // The development server of Next puts scripts and styles into pages as they change.
  const loose = NODE_ENV === 'development';
  const directives: [string, ...string[]][] = [
    ['default-src', "'self'"],
    ['script-src', "'self'", ...(loose ? ["'unsafe-inline'", "'unsafe-eval'"] : [...hashes, rulesHash]), ...trusted],
    ['style-src', "'self'", ...(loose ? ["'unsafe-inline'"] : [])],
    ['img-src', "'self'", 'data:', ...(icons.startsWith('https:') ? [new URL(icons).origin] : []), ...trusted],
    ['font-src', "'self'"],
    ['connect-src', "'self'", ...trusted],
    ['worker-src', "'self'"],
    ['manifest-src', "'self'"],
    ['frame-src', ...(trusted.length > 0 ? trusted : ["'none'"])],
    ['object-src', "'none'"],
    ['base-uri', "'self'"],
    ['form-action', "'self'", ...trusted],
    ['frame-ancestors', "'none'"],
  ];
  return directives.map((parts) => parts.join(' ')).join('; ');
}

/** The policy of an answer that is not a document: it loads nothing and stands in no frame. */
export const bareContentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'";

/** What every answer carries; HSTS only where the site is reached by https. */
export function securityHeaders(): Header[] {
  const headers: Header[] = [
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'strict-origin-when-cross-origin'],
    [
      'permissions-policy',
      'accelerometer=(), camera=(), display-capture=(), geolocation=(self), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(self), usb=()',
    ],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['x-frame-options', 'DENY'],
  ];
  return env().siteUrl.startsWith('https:') ? [...headers, ['strict-transport-security', 'max-age=63072000']] : headers;
}
