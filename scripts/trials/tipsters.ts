import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { createAccount, hashPassword } from '@/lib/accounts/commands';
import { member } from '@/lib/http/viewer';
import { importFixtures } from '@/lib/fixtures/commands';
import type { FeedFixture } from '@/lib/fixtures/schema';
import { database } from '@/lib/platform/database';
import { createPortfolio } from '@/lib/portfolios/commands';
import { type LedgerReport, readLedgerPages, verifyLedger } from '@/lib/record/rules';
import { houseBookmakerId, PortfolioVisibility, Role } from '@/lib/reference/schema';
import type { Server } from '../bench/servers';

/** The password of all of them. */
export const password = 'nine quiet harbours';

/** Somebody who publishes in a portfolio from an address of their own, with a session of ten minutes. */
export type Tipster = { username: string; portfolio: string; address: string; token: string };

/** One who has not signed in yet. */
export type Enrolled = Omit<Tipster, 'token'>;

/** A selection on offer at 2.00, and when its fixture starts. */
export type Offer = { fixtureReference: string; selectionId: number; startsAt: Date };

/** What a call answered; status 0 when the connection was closed without an answer. */
export type Answer = { status: number; text: string };

/** Opens accounts with a portfolio each. */
export async function enrol(tipsters: number): Promise<Enrolled[]> {
  const at = new Date();
  const passwordHash = await hashPassword(password);
  const enrolled: Enrolled[] = [];
  for (let number = 0; number < tipsters; number += 1) {
    const username = `racer-${number}`;
    const accountId = await createAccount({ username, demo: false }, at);
    await sql`update account set email = ${`${username}@example.org`}, password_hash = ${passwordHash}, email_confirmed = true where id = ${accountId}`.execute(
      database(),
    );
    const viewer = member({ accountId, role: Role.user, pro: false, owns: [], subscribes: [] });
    const { reference } = await createPortfolio(
      viewer,
      { name: `Racer ${number}`, visibility: PortfolioVisibility.public },
      at,
    );
    enrolled.push({ username, portfolio: reference, address: `10.0.0.${number + 1}` });
  }
  return enrolled;
}

/** Opens a session for each by the call. */
export async function signIn(server: Server, people: readonly Enrolled[]): Promise<Tipster[]> {
  const signedIn: Tipster[] = [];
  for (const person of people) {
    const response = await fetch(`http://127.0.0.1:${server.port}/api/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': person.address },
      body: JSON.stringify({ username: person.username, password }),
    });
    const { token } = (await response.json()) as { token?: string };
    if (!token) throw new Error(`${person.username} could not sign in (${response.status}).`);
    signedIn.push({ ...person, token });
  }
  return signedIn;
}

/** A match with one price on each side, as a feed gives it. */
export function matchOf(name: string, startsAt: Date, oddsThousandths: number, at: Date): FeedFixture {
  const selections = (['home', 'draw', 'away'] as const).map((key) => ({
    key,
    name: key === 'draw' ? 'Draw' : `${name} ${key}`,
    prices: [
      {
        bookmakerReference: 'tipledger-exchange',
        price: { oddsThousandths, fraction: null },
        at: at.toISOString(),
        timeKnown: true,
        closing: false,
      },
    ],
  }));
  return {
    sportReference: 'football',
    league: { reference: 'trial-league', name: 'Trial League', countryIso2: null, territory: null, rank: 100 },
    season: 'trial',
    home: `${name} home`,
    away: `${name} away`,
    startsAt: startsAt.toISOString(),
    startTimeKnown: true,
    result: null,
    markets: [{ kind: 'match-result', lineHundredths: 0, period: 'full-time', includesOvertime: false, selections }],
  };
}

/** Stores what a feed says of fixtures. */
export async function quote(fixtures: readonly FeedFixture[]): Promise<void> {
  const { rejections } = await importFixtures(
    fixtures.map((fixture, index) => ({ line: index + 1, fixture })),
    'football-data',
    new Date(),
  );
  if (rejections[0]) throw new Error(`A fixture of the trial was refused: ${rejections[0].reason}`);
}

/** Stores a match and gives its home side, on offer for an hour. */
export async function offer(name: string, startsAt: Date): Promise<Offer> {
  await quote([matchOf(name, startsAt, 2_000, new Date(Date.now() - 3_600_000))]);
  const { rows } = await sql<Offer>`
    select fixture.reference as "fixtureReference", selection.id as "selectionId", starts_at as "startsAt"
    from fixture join market on fixture_id = fixture.id join selection on market_id = market.id where fixture.name = ${`${name} home v ${name} away`} and key = 'home'
  `.execute(database());
  if (!rows[0]) throw new Error(`The fixture ${name} was not stored.`);
  return rows[0];
}

/** The body of the call that publishes a tip. */
export const bodyOf = ({ fixtureReference, selectionId }: Offer, more: { free?: boolean } = {}) =>
  JSON.stringify({
    ...more,
    legs: [{ fixtureReference, selectionId, bookmakerId: houseBookmakerId, oddsThousandths: 2_000 }],
    stakeHundredths: 100,
  });

/** The headers of that call, with a new key each time. */
export const headersOf = ({ address, token }: Tipster) => ({
  'x-forwarded-for': address,
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  'idempotency-key': randomUUID(),
});

/** Publishes a tip by the call. */
export async function post(server: Server, tipster: Tipster, tip: Offer, more?: { free?: boolean }): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${server.port}/api/user/portfolio/${tipster.portfolio}/tips/add-tip`, {
    method: 'POST',
    headers: headersOf(tipster),
    body: bodyOf(tip, more),
  });
  return { status: response.status, text: await response.text() };
}

/** The moment at which an accepted tip was published. */
export function publishedAt({ text }: Answer): Date {
  const found = /"publishedAt":"([^"]+)"/.exec(text)?.[1];
  if (!found) throw new Error(`An accepted tip came without its moment: ${text}`);
  return new Date(found);
}

/** Verifies the whole ledger that is served under an origin. */
export function verifyAt(origin: string): Promise<LedgerReport> {
  const call = async (address: string) =>
    (await fetch(new URL(address, `${origin}/api/ledger/`))).json() as Promise<unknown>;
  return verifyLedger(readLedgerPages(call));
}

/** Verifies the whole ledger that a program serves. */
export const verify = ({ port }: Server): Promise<LedgerReport> => verifyAt(`http://127.0.0.1:${port}`);
