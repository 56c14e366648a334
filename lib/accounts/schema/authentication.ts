import { z } from 'zod';
import { safePathSchema } from '@/lib/access/schema';
import { countries, defaultCountry, LoginOutcome, type Role, roleSchema, timeZones } from '@/lib/reference/schema';

/** The cookie by which server-rendered pages know the viewer; the calls of the API take the bearer. */
export const sessionCookieName = 'tipledger_session';

/** The cookie that carries what a refused form without script said, to the page that shows it again. */
export const formCookieName = 'tipledger_form';

/** Product §3: how long each thing holds, in seconds, and how often it can be tried. */
export const accountLimits = {
  accessTokenSeconds: 600,
  refreshTokenSeconds: 30 * 86_400,
  successorReplaySeconds: 30,
  codeSeconds: 600,
  codeTries: 5,
  codeTriesOfOthers: 50,
  codesAnHour: 5,
  loginAttempts: 10,
  loginWindowSeconds: 900,
  proofSeconds: 1_200,
  unprovenAnHour: 5,
  claimSeconds: 86_400,
  noticesADay: 3,
} as const;

/** Product §3: an e-mail address. */
export const emailSchema = z
  .string('Enter your e-mail address.')
  .trim()
  .max(254, 'Enter an e-mail address of 254 characters at most.')
  .pipe(z.email('Enter an e-mail address such as name@example.com.'));

/** The longest name that an account can have. */
export const longestUsername = 40;

/** Product §3: the public name of an account: lowercase letters and digits, words joined by single hyphens. */
export const usernameSchema = z
  .string()
  .trim()
  .toLowerCase()
  .min(3, 'Use 3 characters at least.')
  .max(longestUsername, `Use ${longestUsername} characters at most.`)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use letters, digits and single hyphens alone.');

/** Product §3: a new password, as given; whether it is a common one is for `whyNotPassword`. */
export const passwordSchema = z
  .string('Enter a password.')
  .min(10, 'Use 10 characters at least.')
  .max(128, 'Use 128 characters at most.');

const wholeNumber = z.union(
  [
    z.int(),
    z
      .string()
      .regex(/^\d{1,6}$/)
      .transform(Number),
  ],
  'Choose a time zone.',
);
const ticked = z
  .union([z.boolean(), z.enum(['true', 'on', 'false', ''])], 'Tick it or leave it.')
  .transform((given) => given === true || given === 'true' || given === 'on');

const countryCodes: ReadonlySet<string> = new Set(countries.map(({ iso2 }) => iso2));

/** Spec §5, §7: what registers an account; forms send texts, the API may send numbers and booleans. `location` is the two letters of a country. */
export const registrationSchema = z.strictObject({
  email: emailSchema,
  username: z.union([z.literal('').transform(() => undefined), usernameSchema]).optional(),
  password: passwordSchema,
  location: z
    .string()
    .trim()
    .toUpperCase()
    .default('')
    .transform((code) => code || defaultCountry.iso2)
    .refine((code) => countryCodes.has(code), 'Choose a country.'),
  timezoneId: wholeNumber.refine((id) => timeZones.some((zone) => zone.id === id), 'Choose a time zone.'),
  news: ticked.default(false),
  terms: ticked
    .default(false)
    .refine((given) => given, 'Accept the terms, and confirm that you are 18 or older, to open an account.'),
  token: z.string().max(8_000, 'This is not a proof that this site asked for.').default(''),
  /** Spec §5, product §8: the code of the affiliate by whose link somebody came. */
  affiliate: z
    .string()
    .max(64)
    .regex(/^[a-zA-Z0-9]*$/, 'a code is letters and digits')
    .optional(),
  redirect_to: safePathSchema.optional(),
});

/** What registers an account, read. */
export type Registration = z.output<typeof registrationSchema>;

/** Spec §5: a login: the username trimmed, the password as given. */
export const credentialsSchema = z.strictObject({
  username: z.string('Enter your username or e-mail address.').transform((name) => name.trim()),
  password: z.string('Enter your password.'),
  redirect_to: safePathSchema.optional(),
});

const token = z.string().max(4_000, 'This is not a token of this site.');

/** Spec §7: POST /auth/refresh-token. */
export const refreshSchema = z.strictObject({ accessToken: token, refreshToken: token });

/** Spec §7: POST /auth/logout; a browser without script sends none and is known by its cookie. */
export const logoutSchema = z.strictObject({ refreshToken: token.default('') });

const code = z
  .string('Enter the six digits from the e-mail.')
  .trim()
  .regex(/^\d{6}$/, 'Enter the six digits from the e-mail.');
const guid = z.union([z.literal('').transform(() => undefined), z.uuid('This is not a link of this site.')]);

/** Spec §7: POST /account/forgotten-password. */
export const forgottenPasswordSchema = z.strictObject({
  emailAddress: emailSchema,
  token: registrationSchema.shape.token,
});

/** Spec §7: POST /account/verify-code. */
export const verifyCodeSchema = z.strictObject({
  emailAddress: emailSchema,
  code,
  redirect_after_verify: safePathSchema.optional(),
});

/** Spec §7: POST /account/verify-guid. */
export const verifyGuidSchema = z.strictObject({ guid: z.uuid('This is not a link of this site.') });

/** Spec §7: POST /account/change-password, by the code that the mail to the address brought or by the guid of its link. */
export const changePasswordSchema = z
  .strictObject({
    newPassword: passwordSchema,
    code: z.union([z.literal('').transform(() => undefined), code]).optional(),
    emailAddress: z.union([z.literal('').transform(() => undefined), emailSchema]).optional(),
    guid: guid.optional(),
  })
  .refine((given) => given.guid !== undefined || (given.code !== undefined && given.emailAddress !== undefined), {
    message: 'Enter the six digits from the e-mail.',
    path: ['code'],
  });

/** What changes a password, read. */
export type PasswordChange = z.output<typeof changePasswordSchema>;

/** Spec §7: POST /account/resend-code has no payload; a browser without script names the address. */
export const resendCodeSchema = z
  .strictObject({ emailAddress: emailSchema, redirect_after_verify: safePathSchema.optional() })
  .optional();

/** What came of a code: what it was for. */
export const verifiedSchema = z.object({ verified: z.literal(true), purpose: z.enum(['confirm', 'password']) });

/** An answer that says no more than that the call was taken. */
export const doneSchema = z.object({ done: z.literal(true) });

/** The answer that says no more than that the call was taken. */
export const done: z.infer<typeof doneSchema> = { done: true };

const outcomes = Object.values(LoginOutcome);

/** Spec §3: the number of a login outcome: error 0, success 1, incorrect user 2, incorrect password 3, locked 4. */
export function outcomeNumber(outcome: LoginOutcome): number {
  return outcomes.indexOf(outcome);
}

/** Spec §7: the answer of a login and of a refresh; without success the tokens and the role are null. The outcome is the number of 0110. */
export const authAnswerSchema = z.object({
  outcome: z
    .int()
    .min(0)
    .max(outcomes.length - 1)
    .describe(outcomes.map((outcome, number) => `${number} ${outcome.replaceAll('-', ' ')}`).join(', ')),
  token: z.string().nullable(),
  refreshToken: z.string().nullable(),
  role: roleSchema.nullable(),
});

/** The answer of a login and of a refresh. */
export type AuthAnswer = z.infer<typeof authAnswerSchema>;

/** Spec §3: what a login is answered with that was not looked at, or could not be. */
export const failedLogin: AuthAnswer = {
  outcome: outcomeNumber(LoginOutcome.error),
  token: null,
  refreshToken: null,
  role: null,
};

/** What a login or a refresh gave; `cookie` is the value of the session cookie. */
export type IssuedSession = { token: string; refreshToken: string; role: Role; cookie: string };

/** The answer that tells of an issued session. */
export function authAnswerOf({ token: access, refreshToken, role }: IssuedSession): AuthAnswer {
  return { outcome: outcomeNumber(LoginOutcome.success), token: access, refreshToken, role };
}

/** Where a call comes from: the network address, what the browser says it is, and the value of its session cookie. */
export type Caller = { address: string; device: string; cookie: string | null };

/** Product §3: a proof-of-work challenge of ALTCHA, to be solved by the browser; the `token` is the base64 of JSON { challenge, solution }. */
export const challengeSchema = z.object({
  parameters: z.object({
    algorithm: z.string(),
    nonce: z.string(),
    salt: z.string(),
    cost: z.int(),
    keyLength: z.int(),
    keyPrefix: z.string(),
    keySignature: z.string().optional(),
    expiresAt: z.number(),
  }),
  signature: z.string(),
});
