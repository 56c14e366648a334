import { createPrivateKey, createPublicKey, type JsonWebKey } from 'node:crypto';
import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { singleton } from './singleton';

const text = z.string().trim().min(1);

const scriptAddress = z.url({ protocol: /^https$/, error: 'must be an https URL of a script' }).optional();
const days = (fallback: number) =>
  text
    .regex(/^\d{1,4}$/, 'must be a whole number of days')
    .transform(Number)
    .refine((count) => count >= 1, 'must be a day at least')
    .default(fallback);

function wholeNumber({ from, to, fallback }: { from: number; to: number; fallback: number }) {
  const problem = `must be a whole number from ${from} to ${to}`;
  return text
    .regex(/^\d{1,6}$/, problem)
    .transform(Number)
    .refine((given) => given >= from && given <= to, problem)
    .default(fallback);
}

const keyProblem = 'must be an Ed25519 private key as a JSON Web Key, or that in base64';

function isPrivateKey(given: string): boolean {
  try {
    const key = JSON.parse(given.startsWith('{') ? given : Buffer.from(given, 'base64').toString('utf8')) as JsonWebKey;
    const { crv, x } = createPublicKey(createPrivateKey({ key, format: 'jwk' })).export({ format: 'jwk' });
    return crv === 'Ed25519' && x === key.x;
  } catch {
    return false;
  }
}

function isMailKey(given: string): boolean {
  try {
    return createPrivateKey(given).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

const databaseAddress = text
  .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
  .refine(
    (given) => !given.startsWith('postgres') || URL.canParse(given),
    'cannot be read as a URL; write signs such as @ : / # in a password as %40 %3A %2F %23',
  )
  .optional();

const isMailServer = (given: string) =>
  !/^smtps?:\/\//.test(given) || (URL.canParse(given) && new URL(given).hostname !== '');

// A name and an address in brackets, or an address alone.
const sender = /^(?:[^<>@\p{Cc}]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u;

const isHost = (given: string) => isIP(given) !== 0 || /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(given);

function isSiteAddress(given: string): boolean {
  const { pathname, search, hash, username } = new URL(given);
  return pathname === '/' && search === '' && hash === '' && username === '';
}

const portProblem = 'must be a port from 0 to 65535';

const isWholeStripe = (given: { STRIPE_SECRET_KEY?: string | undefined; STRIPE_WEBHOOK_SECRET?: string | undefined }) =>
  (given.STRIPE_SECRET_KEY === undefined) === (given.STRIPE_WEBHOOK_SECRET === undefined);

const settings = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  DATABASE_URL: databaseAddress,
  DATABASE_OWNER_URL: databaseAddress,
  DATABASE_REPLICA_URL: databaseAddress,
  DATABASE_POOL: wholeNumber({ from: 2, to: 500, fallback: 16 }),
  DRAIN_SECONDS: wholeNumber({ from: 0, to: 600, fallback: 0 }),
  TIPLEDGER_DATA: text.default('.data'),
  TIPLEDGER_SIGNING_KEY: text
    .refine(isPrivateKey, keyProblem)
    .transform((given) => (given.startsWith('{') ? given : Buffer.from(given, 'base64').toString('utf8')))
    .optional(),
  TIPLEDGER_SITE_URL: z
    .url({ protocol: /^https?$/, error: 'must be a URL such as https://tipledger.example' })
    .refine(
      (given) => !URL.canParse(given) || isSiteAddress(given),
      'must be an address without a path, such as https://tipledger.example: the site stands at the root of its host',
    )
    .optional(),
  TIPLEDGER_DEMO: z.enum(['on', 'small', 'off'], "must be 'on', 'small' or 'off'").default('on'),
  TIPLEDGER_JOBS: z.enum(['on', 'off'], "must be 'on' or 'off'").default('on'),
  TIPLEDGER_BRANCH: text.default('main'),
  TIPLEDGER_SPORT_ICONS: text
    .regex(/^(https:\/\/|\/)[^\s]*[^/\s]$/, 'must be a path or an https URL without a slash at its end')
    .default('/images/sports'),
  TIPLEDGER_TRUSTED_ORIGINS: z
    .string()
    .default('')
    .transform((origins) => origins.split(/\s+/).filter(Boolean))
    .refine(
      (origins) => origins.every((origin) => /^https:\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d+)?$/i.test(origin)),
      'must be origins such as https://ads.example, with spaces between them',
    ),
  SMTP_URL: text
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .refine(isMailServer, 'must name a server, such as smtps://name:password@mail.example.com:465')
    .optional(),
  MAIL_FROM: text
    .regex(sender, 'must be an address, alone or as Tipledger <no-reply@tipledger.example>')
    .default('Tipledger <no-reply@localhost>'),
  DKIM_DOMAIN: text
    .regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i, 'must be a domain such as tipledger.example')
    .optional(),
  DKIM_SELECTOR: text.regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i, 'must be a name such as mail').default('tipledger'),
  DKIM_PRIVATE_KEY: text
    .transform((given) =>
      given.startsWith('-----') ? given.replaceAll('\\n', '\n') : Buffer.from(given, 'base64').toString('utf8'),
    )
    .refine(
      isMailKey,
      'must be a whole private key of RSA without a passphrase, as PEM with \\n for its line ends, or that in base64',
    )
    .optional(),
  TIPLEDGER_OUTBOX: z.enum(['on', 'off'], "must be 'on' or 'off'").default('off'),
  TIPLEDGER_CONTACT_EMAIL: z.email('must be an e-mail address such as desk@tipledger.example').optional(),
  TIPLEDGER_GEOCODER: text
    .regex(
      /^https?:\/\/(?=\S*\{latitude\})(?=\S*\{longitude\})\S+$/,
      'must be a URL with {latitude} and {longitude} in it',
    )
    .optional(),
  THE_ODDS_API_KEY: text.optional(),
  THE_ODDS_API_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  STRIPE_SECRET_KEY: text
    .regex(/^[sr]k_(test|live)_[A-Za-z0-9_]+$/, 'must be a secret key of Stripe, such as sk_test_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: text
    .regex(/^whsec_\S+$/, 'must be the signing secret of a webhook at Stripe, such as whsec_…')
    .optional(),
  STRIPE_API_BASE: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .refine((given) => !URL.canParse(given) || isSiteAddress(given), 'must be an address without a path')
    .optional(),
  TIPLEDGER_PREVIEW: z.enum(['on', 'off'], "must be 'on' or 'off'").default('off'),
  TIPLEDGER_ADS_SCRIPT: scriptAddress,
  TIPLEDGER_AD_QUALITY_SCRIPT: scriptAddress,
  TIPLEDGER_TAGS_SCRIPT: scriptAddress,
  TIPLEDGER_AFFILIATE_SCRIPT: scriptAddress,
  TIPLEDGER_AFFILIATE_DAYS: days(30),
  TIPLEDGER_CONSENT_DAYS: days(182),
  TIPLEDGER_PROXIES: text
    .regex(/^[0-9]$/, 'must be a number from 0 to 9')
    .transform(Number)
    .default(0),
  TIPLEDGER_LOG_ORIGIN: text
    .max(250)
    .regex(/^[^\s+]+$/, 'must be a name without blanks and plus signs, such as tipledger.example/api/log')
    .optional(),
  TIPLEDGER_WITNESSES: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(/[;\n]/)
        .map((line) => line.trim())
        .filter(Boolean)
        .map((line) => line.split(/\s+/)),
    )
    .refine(
      (lines) =>
        lines.every(
          ([vkey = '', url = '', ...rest]) =>
            /^[^+]+\+[0-9a-f]{8}\+\S+$/.test(vkey) && /^https?:\/\/\S+$/.test(url) && rest.length === 0,
        ),
      'must be witnesses, each its key and its URL with a space between them, and a semicolon between two',
    )
    .transform((lines) => lines.map(([vkey = '', url = '']) => ({ vkey, url }))),
  TIPLEDGER_TELEGRAM_TOKEN: text
    .regex(/^\d{1,20}:[\w-]{20,100}$/, 'must be the token of a bot, such as 123456:ABC-DEF…')
    .optional(),
  TIPLEDGER_TELEGRAM_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .default('https://api.telegram.org'),
  TIPLEDGER_OUTGOING_PRIVATE: z
    .string()
    .default('')
    .transform((hosts) => hosts.split(/\s+/).filter(Boolean))
    .refine(
      (hosts) => hosts.every((host) => /^[a-z0-9.-]+:\d{1,5}$/i.test(host)),
      'must be hosts with their ports, such as hooks.internal:8443, with spaces between them',
    ),
  TIPLEDGER_BUILD: text.default('.next'),
  METRICS_TOKEN: text.regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 characters without blanks').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be the URL of a collector, such as http://localhost:4318' })
    .optional(),
  OTEL_SERVICE_NAME: text.max(100).default('tipledger'),
  HOST: text
    .refine(isHost, 'must be an address or name of this machine, such as 0.0.0.0 or 127.0.0.1')
    .default('0.0.0.0'),
  PORT: text
    .regex(/^\d{1,5}$/, portProblem)
    .transform(Number)
    .refine((port) => port <= 65535, portProblem)
    .default(3000),
  ACCESS_LOG: z.enum(['on', 'off'], "must be 'on' or 'off'").default('off'),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
});

const schema = settings.refine(isWholeStripe, {
  path: ['STRIPE_WEBHOOK_SECRET'],
  message: 'must be given together with STRIPE_SECRET_KEY: payments that Stripe tells of are read at once',
});

/** The settings of the program, checked; see .env.example for each one's meaning. */
export type Env = z.infer<typeof schema> & { dataFolder: string; siteUrl: string; logOrigin: string };

function whyIncomplete(values: z.infer<typeof schema>): string | null {
  if ((values.DKIM_DOMAIN === undefined) !== (values.DKIM_PRIVATE_KEY === undefined))
    return 'DKIM_DOMAIN and DKIM_PRIVATE_KEY go together: set both, or neither.';
  // Without it a private database would be served instead of the one that is meant.
  const beside = (['DATABASE_OWNER_URL', 'DATABASE_REPLICA_URL'] as const).find((name) => values[name] !== undefined);
  if (beside !== undefined && values.DATABASE_URL === undefined)
    return `${beside} goes with DATABASE_URL: set that too, or neither for a private database.`;
  return null;
}

/** Reads settings from a set of variables; throws one Error that names every wrong one and what it should be. */
export function readEnv(variables: Record<string, string | undefined>): Env {
  const filled = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim() !== ''));
  const parsed = schema.safeParse(filled);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`These settings are wrong (see .env.example):\n${problems.join('\n')}`);
  }
  const values = parsed.data;
  const problem = whyIncomplete(values);
  if (problem !== null) throw new Error(`These settings are wrong (see .env.example):\n  ${problem}`);
  const siteUrl = (values.TIPLEDGER_SITE_URL ?? `http://localhost:${values.PORT}`).replace(/\/$/, '');
  return {
    ...values,
    dataFolder: path.resolve(/* turbopackIgnore: true */ values.TIPLEDGER_DATA),
    siteUrl,
    logOrigin: values.TIPLEDGER_LOG_ORIGIN ?? `${new URL(siteUrl).host}/api/log`,
  };
}

/** The settings of this process. */
export function env(): Env {
  return settled().env ?? readEnv(process.env);
}

const settled = () => singleton('env', (): { env: Env | null } => ({ env: null }));

/** Lets the settings stay as they are now: `env` reads them no more. For a program that has begun. */
export function settleEnv(): void {
  settled().env = readEnv(process.env);
}
