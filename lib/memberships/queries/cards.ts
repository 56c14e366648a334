import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import type { CardChangeView } from '../schema/cards';
import { listMemberships } from './memberships';

/** How a membership of the viewer's is charged, with the last change of that, as we know it; `payUrl` as the caller has it from the provider. Failure 'unauthorised', 'missing' for another's. */
export async function getCardChange(
  viewer: Viewer,
  membership: string,
  payUrl: string | null,
): Promise<CardChangeView> {
  const { running, past } = await listMemberships(viewer, await decisionMoment());
  const found = [...running, ...past].find(({ reference }) => reference === membership);
  if (!found) throw new Failure('missing', 'You have no such membership.');
  const { rows } = await sql<Pick<CardChangeView, 'status' | 'because'>>`
    select status, failure as because from card_change where membership_id = (select id from membership where reference = ${membership}) order by id desc limit 1
  `.execute(database());
  const { status, because } = rows[0] ?? { status: null, because: null };
  const { name, state, card } = found;
  return { membership, name, state, card, status, because, payUrl: status === 'started' ? payUrl : null };
}
