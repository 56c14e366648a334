import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { countries } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import type { PayeeInput, PayeeView } from '../schema/payees';
import { providerOf } from './provider';
import { reach } from './reach';

const howItStands = 'Nothing has changed';

/** Where the viewer stands with being paid out to, as the provider has it now; null where it needs nothing of them. Failure 'unauthorised', 'unavailable' while the provider is down. */
export async function getPayee(viewer: Viewer): Promise<PayeeView> {
  requireMember(viewer);
  const { readPayee } = await providerOf(viewer.accountId);
  return { payee: readPayee ? await reach(() => readPayee(String(viewer.accountId)), howItStands) : null };
}

/**
 * Product §8: opens the provider's pages on which the viewer gives what it needs to pay them, for the country of their settings; they come back to the earnings of the portfolio that is named, to
 * their portfolios where it is closed, and to their dashboard as an affiliate where none is named. Failure 'unauthorised', 'forbidden' for whoever can earn nothing, 'conflict' where the provider needs nothing or refuses the country, 'unavailable' while it is down.
 */
export async function openPayee(viewer: Viewer, { portfolio }: PayeeInput): Promise<{ url: string }> {
  requireMember(viewer);
  const { openPayee: open } = await providerOf(viewer.accountId);
  if (!open) throw new Failure('conflict', 'Payouts need nothing of you here. Ask for yours where it is payable.');
  const { rows } = await sql`
    select from money_account where owner_id = ${viewer.accountId} limit 1
  `.execute(database());
  if (viewer.owns.length === 0 && rows.length === 0)
    throw new Failure(
      'forbidden',
      'Payouts are for tipsters and affiliates. Come back when something is payable to you.',
    );
  const country = countries.find(({ id }) => id === viewer.countryId)?.iso2;
  if (country === undefined)
    throw new Failure('conflict', 'Your settings name no country. Choose yours there, then set up payouts.');
  const isClosed = portfolio !== undefined && (await isClosedPortfolio(portfolio));
  const page = (choice: { payouts?: 'again' }) => {
    if (portfolio === undefined) return routes.affiliates('dashboard', choice);
    return isClosed ? routes.dashboard('services', choice) : routes.ownPortfolioPage(portfolio, 'earnings', choice);
  };
  return reach(
    () =>
      open({ owner: String(viewer.accountId), country, returnPath: page({}), refreshPath: page({ payouts: 'again' }) }),
    howItStands,
  );
}

async function isClosedPortfolio(reference: string): Promise<boolean> {
  const { rows } = await sql`select from portfolio where reference = ${reference} and abandoned_at is not null`.execute(
    database(),
  );
  return rows.length > 0;
}
