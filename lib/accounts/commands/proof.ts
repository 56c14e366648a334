import 'server-only';
import { createChallenge, type Payload, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { sql } from 'kysely';
import { z } from 'zod';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { readSecret } from '@/lib/platform/tokens';
import { countHit } from '@/lib/platform/rate-limit';
import { accountLimits, challengeSchema } from '../schema/authentication';

// Ours: about a second of a telephone's work; making and checking one costs the server two milliseconds.
const algorithm = 'PBKDF2/SHA-256';
const cost = 2_000;
const fewestTries = 200;
const mostTries = 600;

const secrets = async () => ({
  hmacSignatureSecret: await readSecret('proof'),
  hmacKeySignatureSecret: await readSecret('proof-key'),
});

/** Product §3: a proof-of-work challenge for one registration or one forgotten password. */
export async function issueChallenge(now: Date): Promise<z.infer<typeof challengeSchema>> {
  const expiresAt = new Date(now.getTime() + accountLimits.proofSeconds * 1000);
  const challenge = await createChallenge({
    algorithm,
    cost,
    counter: randomInt(mostTries, fewestTries),
    deriveKey,
    expiresAt,
    ...(await secrets()),
  });
  return challengeSchema.parse(challenge);
}

const payloadSchema = z.object({
  challenge: challengeSchema,
  solution: z.object({
    counter: z.int().min(0).max(10_000_000),
    derivedKey: z.string().max(200),
    time: z.number().optional(),
  }),
});

const refused = (why: string) =>
  new Failure('invalid', `${why} Load the page again, then send the form.`, { token: why });

/**
 * Takes the proof of work of a form, each one once. A browser without script cannot make one: its form (`unproven`) is taken without, but
 * only a few times an hour from one address. Failure 'invalid' or 'too-many'.
 */
export async function spendProof(
  token: string,
  { address, unproven }: { address: string; unproven: boolean },
  now: Date,
): Promise<void> {
  if (token === '' && unproven) {
    const allowed = await countHit(
      'unproven',
      { hits: accountLimits.unprovenAnHour, windowSeconds: 3_600, network: address },
      now,
    );
    if (!allowed)
      throw new Failure(
        'too-many',
        'Too many forms came from your network. Try again in an hour, or turn on JavaScript for this page, which runs our robot check.',
      );
    return;
  }
  const payload = readPayload(token);
  if (!payload) throw refused('The robot check is missing or cannot be read.');
  const { verified, expired } = await verifySolution({ ...payload, deriveKey, ...(await secrets()) } as Payload &
    Parameters<typeof verifySolution>[0]);
  const expiresAt = new Date(payload.challenge.parameters.expiresAt * 1000);
  if (expired || expiresAt <= now) throw refused('The robot check has expired.');
  if (!verified) throw refused('The robot check failed.');
  const { numAffectedRows } = await sql`
    insert into spent_proof (id, expires_at) values (${payload.challenge.signature}, ${expiresAt}) on conflict do nothing
  `.execute(database());
  if (numAffectedRows !== 1n) throw refused('The robot check was used before.');
}

function readPayload(token: string): z.infer<typeof payloadSchema> | null {
  try {
    return payloadSchema.parse(JSON.parse(Buffer.from(token, 'base64').toString('utf8')));
  } catch {
    return null;
  }
}
