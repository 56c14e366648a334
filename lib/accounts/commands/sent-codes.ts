import 'server-only';
import { randomInt, randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database, isDatabaseTrouble, transact } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import { putMail } from '@/lib/platform/mail';
import { countHit, findFullUntil, networkOf } from '@/lib/platform/rate-limit';
import { hashToken } from '@/lib/platform/tokens';
import { routes } from '@/lib/routes';
import { confirmationMail, knownAddressMail, newPasswordMail } from '../rules/mails';
import { accountLimits } from '../schema/authentication';
import { hashCode } from './passwords';

/** What a code is for: to confirm an e-mail address, or to choose a new password. */
export type CodePurpose = 'confirm' | 'password';

/** An account that a mail goes to. */
export type Owner = { id: number; username: string; email: string };

const batch = 50;

const hourly = { hits: accountLimits.codesAnHour, windowSeconds: 3_600 };
const counterOf = (accountId: number, purpose: CodePurpose) => `codes:${accountId}:${purpose}`;

/** Product §3: sends an account a new code, which takes the place of the one before; no more than a few an hour. `asker` is the network that asked for it. */
export async function sendCode(
  { id, username, email }: Owner,
  purpose: CodePurpose,
  now: Date,
  asker: string | null = null,
): Promise<void> {
  if (!(await countHit(counterOf(id, purpose), hourly, now))) return;
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const guid = randomUUID();
  const codeHash = await hashCode(code, await findOtherCode(id, purpose, now));
  const expiresAt = new Date(now.getTime() + accountLimits.codeSeconds * 1000);
  const url = `${env().siteUrl}${purpose === 'confirm' ? routes.verify() : routes.forgottenPassword({ guid })}`;
  const written = (purpose === 'confirm' ? confirmationMail : newPasswordMail)({ username, code, url });
  await transact(async () => {
    await sql`
      insert into account_code (account_id, purpose, code_hash, guid_hash, expires_at, asker) values (${id}, ${purpose}, ${codeHash}, ${hashToken(guid)}, ${expiresAt}, ${asker})
      on conflict (account_id, purpose) do update
      set code_hash = excluded.code_hash, guid_hash = excluded.guid_hash, expires_at = excluded.expires_at, asker = excluded.asker, tries = 0
    `.execute(database());
    await sql`delete from code_try where account_id = ${id} and purpose = ${purpose}`.execute(database());
    await putMail({ to: email, ...written }, now);
  });
}

/** The hash of a code that is out for an account for another purpose. */
async function findOtherCode(accountId: number, purpose: CodePurpose, now: Date): Promise<string | null> {
  const { rows } = await sql<{ codeHash: string }>`
    select code_hash as "codeHash" from account_code where account_id = ${accountId} and purpose <> ${purpose} and expires_at > ${now}
  `.execute(database());
  return rows[0]?.codeHash ?? null;
}

/** The network of an address, as it is noted of whoever asks for a code or types one. */
export const askerOf = (address: string) => hashToken(networkOf(address));

/** Notes that a code was asked for by address, and from where. Whether there is such an account is looked up after the answer, by `sendAskedCodes`. */
export async function askForCode(
  email: string,
  purpose: CodePurpose,
  now: Date,
  address: string | null = null,
): Promise<void> {
  await sql`insert into code_request (email, purpose, asked_at, asker) values (${email}, ${purpose}, ${now}, ${address && askerOf(address)})`.execute(
    database(),
  );
}

/**
 * Spec §7: POST /account/resend-code: sends the code that confirms the viewer's address, or that of the address named; Failure 'unauthorised'
 * without either, and 'conflict' for a viewer to whom none will be sent. Of an address that is named nothing is told.
 */
export async function resendCode(
  viewer: Viewer,
  email: string | undefined,
  now: Date,
  address: string | null = null,
): Promise<void> {
  if (viewer.kind === 'member') {
    await askForCode(await findUnconfirmed(viewer.accountId, now), 'confirm', now, address);
    return;
  }
  if (email === undefined)
    throw new Failure('unauthorised', 'Sign in, or name the e-mail address of the account, to get a new code.');
  await askForCode(email, 'confirm', now, address);
}

/** The address to which a member is sent the code that confirms it; Failure 'conflict' where none is sent. */
async function findUnconfirmed(accountId: number, now: Date): Promise<string> {
  const { rows } = await sql<{ email: string | null; confirmed: boolean }>`
    select email, email_confirmed as confirmed from account where id = ${accountId}
  `.execute(database());
  const email = rows[0]?.email ?? null;
  if (email === null)
    throw new Failure('conflict', 'This e-mail address is not yours any more. Load the page again to see why.');
  if (rows[0]?.confirmed)
    throw new Failure('conflict', 'Your e-mail address is confirmed already. Load the page again to go on.');
  const until = await findFullUntil(counterOf(accountId, 'confirm'), hourly, now);
  if (until) {
    const minutes = Math.ceil((until.getTime() - now.getTime()) / 60_000);
    throw new Failure(
      'conflict',
      `${hourly.hits} codes were asked for within an hour, so no other one is sent now. Enter the newest, or ask again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    );
  }
  return email;
}

/** Whether somebody asked for a code and waits. */
export const areCodesAsked = (): RawBuilder<boolean> => sql<boolean>`exists (select from code_request)`;

type Asked = { email: string; purpose: CodePurpose; asker: string | null };

/**
 * Sends the codes that were asked for to the addresses that have an account, each address once; returns how many requests were taken. One that fails is
 * given up, since whoever waits asks again, and holds up no other; its error is thrown behind all others.
 */
export async function sendAskedCodes(now: Date): Promise<number> {
  const failed: unknown[] = [];
  const taken = await transact(async () => {
    const { rows } = await sql<Asked>`
      delete from code_request where id in (select id from code_request order by id limit ${batch} for update skip locked)
      returning lower(email) as email, purpose, asker
    `.execute(database());
    const asked = new Map(rows.map((request) => [`${request.purpose}|${request.email}`, request]));
    failed.length = 0;
    for (const request of asked.values())
      try {
        await transact(() => answerAsked(request, now));
      } catch (error) {
        if (isDatabaseTrouble(error)) throw error;
        failed.push(error);
      }
    return rows.length;
  });
  if (failed.length > 0) throw failed[0];
  return taken;
}

async function answerAsked({ email, purpose, asker }: Asked, now: Date): Promise<void> {
  const { rows } = await sql<Owner & { confirmed: boolean }>`
    select id, username, email, email_confirmed as confirmed from account where lower(email) = ${email} and deleted_at is null for key share
  `.execute(database());
  const [owner, claim] = [rows.find(({ confirmed }) => confirmed), rows.find(({ confirmed }) => !confirmed)];
  if (purpose === 'password') {
    const to = owner ?? claim;
    if (to) await sendCode(to, purpose, now, asker);
  } else if (claim && owner) {
    // Counted like a code: what is refused to who claims an address must not tell whether it is somebody's.
    await countHit(counterOf(claim.id, purpose), hourly, now);
    await tellOwner(owner, now);
  } else if (claim) await sendCode(claim, purpose, now, asker);
}

async function tellOwner({ id, username, email }: Owner, now: Date): Promise<void> {
  if (!(await countHit(`notices:${id}`, { hits: accountLimits.noticesADay, windowSeconds: 86_400 }, now))) return;
  const { siteUrl } = env();
  await putMail(
    {
      to: email,
      ...knownAddressMail({
        username,
        loginUrl: `${siteUrl}${routes.login()}`,
        passwordUrl: `${siteUrl}${routes.forgottenPassword()}`,
      }),
    },
    now,
  );
}
