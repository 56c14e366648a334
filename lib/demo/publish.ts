import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import type { Candidate, Choice } from './choices';
import type { MarketKind } from '@/lib/fixtures/schema';
import { demoSource } from '@/lib/fixtures/commands';
import { database } from '@/lib/platform/database';
import { bundledBookmakers, furtherBookmakers, PortfolioVisibility } from '@/lib/reference/schema';
import { type PastTip, publishPastTips } from '@/lib/tips/commands';

/** Who publishes for a tipster, and where. */
export type Publisher = { viewer: Viewer; portfolioReference: string };

const bookmakerIds = new Map([...bundledBookmakers, ...furtherBookmakers].map(({ reference, id }) => [reference, id]));

type Stored = {
  sourceId: string;
  reference: string;
  kind: MarketKind;
  lineHundredths: number;
  period: string;
  includesOvertime: boolean;
  key: string;
  selectionId: number;
};

const nameOf = ({
  sourceId,
  kind,
  lineHundredths,
  period,
  includesOvertime,
  key,
}: Omit<Stored, 'reference' | 'selectionId'>) =>
  [sourceId, kind, lineHundredths, period, includesOvertime, key].join('|');

const nameOfLeg = ({ event, market, key }: Candidate) => nameOf({ ...market, sourceId: event.sourceId, key });

/** Publishes what tipsters chose, in the order of its moments; `round` names the attempt, so that a second one publishes nothing again. Returns how many tips. */
export async function publishChoices(
  choices: readonly Choice[],
  publishers: ReadonlyMap<string, Publisher>,
  round: string,
): Promise<number> {
  if (choices.length === 0) return 0;
  const stored = await readSelections([
    ...new Set(choices.flatMap(({ legs }) => legs.map(({ event }) => event.sourceId))),
  ]);
  const submissions = choices
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .flatMap((choice, index) => submissionOf(choice, `demo-${round}-${index}`, publishers, stored));
  await publishPastTips(submissions);
  return submissions.length;
}

function submissionOf(
  { tipster, legs, at, stakeHundredths, eachWay, hidden, free, analysis }: Choice,
  idempotencyKey: string,
  publishers: ReadonlyMap<string, Publisher>,
  stored: ReadonlyMap<string, Stored>,
): PastTip[] {
  const publisher = publishers.get(tipster.name);
  const found = legs.flatMap((leg) => {
    const own = stored.get(nameOfLeg(leg));
    return own
      ? [
          {
            fixtureReference: own.reference,
            selectionId: own.selectionId,
            bookmakerId: bookmakerIds.get(leg.bookmakerReference) ?? 0,
            oddsThousandths: leg.oddsThousandths,
          },
        ]
      : [];
  });
  if (!publisher || found.length < legs.length) return [];
  const isPremium = tipster.visibility === PortfolioVisibility.premium;
  return [
    {
      ...publisher,
      at,
      input: { idempotencyKey, legs: found, stakeHundredths, eachWay, analysis, hidden, free: isPremium ? free : true },
    },
  ];
}

async function readSelections(sourceIds: readonly string[]): Promise<Map<string, Stored>> {
  const { rows } = await sql<Stored>`
    select source_id as "sourceId", fixture.reference, kind, line_hundredths as "lineHundredths", period, includes_overtime as "includesOvertime", key, selection.id as "selectionId"
    from fixture_source join fixture on fixture.id = fixture_source.fixture_id join market on market.fixture_id = fixture.id join selection on selection.market_id = market.id
    where source = ${demoSource} and source_id = any(${[...sourceIds]}::text[])
  `.execute(database());
  return new Map(rows.map((row) => [nameOf(row), row]));
}
