import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { cached } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { getPortfolio } from '@/lib/portfolios/queries';
import { namedSpeciality, type SpecialityKey } from '../rules/sketch';
import { everySport } from '../schema/comparison';
import type { Speciality } from '../schema/sketches';
import { statsTtlSeconds } from './statistics';

/** Ours (0065): what a portfolio mostly tips on; null where nothing stands out or too little is settled. Failure 'missing' for a portfolio the viewer may not see. */
export async function findSpeciality(viewer: Viewer, reference: string): Promise<Speciality | null> {
  const { id } = await getPortfolio(viewer, reference);
  return cached(`stats-speciality:${id}`, statsTtlSeconds, [`portfolio:${reference}`], async () => {
    const { rows } = await sql<{ speciality: SpecialityKey | null; league: string | null }>`
      select speciality, league.name as league from portfolio_sketch
      left join league on speciality ->> 'kind' = 'league' and league.id::text = speciality ->> 'key'
      where portfolio_id = ${id} and portfolio_sketch.sport_id = ${everySport}
    `.execute(database());
    const [row] = rows;
    return row?.speciality ? namedSpeciality(row.speciality, row.league) : null;
  });
}
