import { env } from '@/lib/platform/env';

/** What the program tells every browser: the same for all, and nothing secret in it. */
export function browserConfig() {
  const {
    TIPLEDGER_ADS_SCRIPT,
    TIPLEDGER_AD_QUALITY_SCRIPT,
    TIPLEDGER_TAGS_SCRIPT,
    TIPLEDGER_AFFILIATE_SCRIPT,
    TIPLEDGER_AFFILIATE_DAYS,
    TIPLEDGER_CONSENT_DAYS,
    LOG_LEVEL,
  } = env();
  return {
    scripts: {
      ads: TIPLEDGER_ADS_SCRIPT ?? null,
      adQuality: TIPLEDGER_AD_QUALITY_SCRIPT ?? null,
      tags: TIPLEDGER_TAGS_SCRIPT ?? null,
      affiliate: TIPLEDGER_AFFILIATE_SCRIPT ?? null,
    },
    affiliateDays: TIPLEDGER_AFFILIATE_DAYS,
    consentDays: TIPLEDGER_CONSENT_DAYS,
    debug: LOG_LEVEL === 'debug' || LOG_LEVEL === 'trace',
  };
}

/** The origins of the third-party scripts that are configured, for the Content-Security-Policy; none without configuration. */
export function thirdPartyOrigins(): string[] {
  const addresses = Object.values(browserConfig().scripts).filter((address) => address !== null);
  return [...new Set(addresses.map((address) => new URL(address).origin))];
}
