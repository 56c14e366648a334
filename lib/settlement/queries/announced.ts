import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { isoText } from '@/lib/platform/iso-text';
import type { Announced } from '../rules/to-come';

type Row = {
  withdrawn: {
    participantId: number;
    at: string;
    thousandths: number | null;
    numerator: number | null;
    denominator: number | null;
  }[];
};

/** Settlement §4: what is known of a race before its result: who was withdrawn when and at which last price. */
export async function readAnnounced(fixtureId: number): Promise<Announced> {
  const { rows } = await sql<Row>`
    select coalesce((
      select jsonb_agg(jsonb_build_object('participantId', participant_id, 'at', ${isoText(sql`withdrawn_at`)},
        'thousandths', withdrawal_thousandths, 'numerator', withdrawal_numerator, 'denominator', withdrawal_denominator) order by position)
      from runner where fixture_id = fixture.id and withdrawn_at is not null), '[]') as withdrawn
    from fixture where id = ${fixtureId}
  `.execute(database());
  if (!rows[0]) throw new Error('There is no fixture of this number.');
  const { withdrawn } = rows[0];
  return {
    withdrawn: withdrawn.map(({ participantId, at, thousandths, numerator, denominator }) => {
      const decimal = thousandths === null ? null : { numerator: thousandths - 1000, denominator: 1000 };
      const price = numerator !== null && denominator !== null ? { numerator, denominator } : decimal;
      return { participantId, position: null, withdrawn: { price, withdrawnAt: at } };
    }),
  };
}
