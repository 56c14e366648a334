import 'server-only';
import { sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { drawnStanding, type DrawnStanding, readSketches } from '../queries/drawn-sketches';
import { everySport } from '../schema/comparison';

const batchSize = 50;
const mostBatches = 20;

/** Leaves what rows and cards show of these portfolios to `drawDueSketches`. */
export async function deferSketches(portfolioIds: readonly number[]): Promise<void> {
  await sql`
    insert into sketch_due (portfolio_id) select unnest(${[...new Set(portfolioIds)].sort((a, b) => a - b)}::int[])
    on conflict (portfolio_id) do update set changed_at = clock_timestamp()
  `.execute(database());
}

type Due = DrawnStanding & { reference: string; changedAt: string; isOther: boolean };

/** Ours (0065): draws anew what rows and cards show of the records whose standings have changed; returns of how many portfolios. Safe to run twice or at once. */
export async function drawDueSketches(): Promise<number> {
  let drawn = 0;
  for (let batch = 0; batch < mostBatches; batch += 1) {
    const { rows } = await sql<Due>`
      select portfolio.id, reference, due.changed_at::text as "changedAt", own.standing, own.at, own.standing is not null and known.standing is distinct from own.standing as "isOther"
      from sketch_due due join portfolio on portfolio.id = due.portfolio_id
      left join lateral ${drawnStanding(sql.ref('due.portfolio_id'))} own on true
      left join portfolio_sketch known on known.portfolio_id = due.portfolio_id and known.sport_id = ${everySport}
      order by due.changed_at, due.portfolio_id limit ${batchSize}
    `.execute(database());
    if (rows.length === 0) break;
    const others = rows.filter(({ isOther }) => isOther);
    if (others.length > 0) await draw(others);
    drawn += others.length;
    // What changed meanwhile is due again.
    await transact(() =>
      sql`
        delete from sketch_due using (
          select portfolio_id from sketch_due
          join unnest(${rows.map(({ id }) => id)}::int[], ${rows.map(({ changedAt }) => changedAt)}::timestamptz[]) as looked (id, at) on portfolio_id = id and changed_at = at
          order by 1 for update of sketch_due
        ) seen where sketch_due.portfolio_id = seen.portfolio_id
      `.execute(database()),
    );
    if (others.length > 0) await forget(['standings', ...others.map(({ reference }) => `portfolio:${reference}`)]);
  }
  return drawn;
}

async function draw(due: readonly DrawnStanding[]): Promise<void> {
  const sketches = await readSketches(due);
  const column = <K extends keyof (typeof sketches)[number]>(name: K) => sketches.map((sketch) => sketch[name]);
  await sql`
    insert into portfolio_sketch (portfolio_id, sport_id, standing, form, curves, speciality)
    select id, sport_id, standing, form, curves, nullif(speciality, 'null')
    from rows from (unnest(${column('id')}::int[], ${column('sportId')}::smallint[], ${column('standing')}::text[], ${column('form')}::text[]),
      jsonb_array_elements(${JSON.stringify(column('curves'))}::jsonb), jsonb_array_elements(${JSON.stringify(column('speciality'))}::jsonb))
      as drawn (id, sport_id, standing, form, curves, speciality)
    order by id, sport_id
    on conflict (portfolio_id, sport_id) do update set standing = excluded.standing, form = excluded.form, curves = excluded.curves, speciality = excluded.speciality
  `.execute(database());
}
