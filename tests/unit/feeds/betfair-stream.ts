import type { FeedItem, FeedRace } from '@/lib/fixtures/schema';
import { betfair } from '@/lib/feeds/betfair';
import { read, sample } from './reading';

/** Our own sample of a stream file: six invented horses, of which two are withdrawn, in one race. */
export const text = new TextDecoder().decode(sample('betfair-win.jsonl'));
/** Its lines. */
export const lines = text.trimEnd().split('\n');

/** The races among what was read. */
export const racesOf = (items: readonly FeedItem[]): FeedRace[] =>
  items.flatMap((item) => (item.kind === 'race' ? [item.fixture] : []));

/** The one race that a file gives. */
export function only(content: string): FeedRace {
  const [race, another] = racesOf(read(betfair, content));
  if (!race || another) throw new Error('the file does not give one race');
  return race;
}

/** The prices of a runner as short lines: the time of day, decimal odds or pulled, C for closing. */
export function prices(race: FeedRace, name: string): string[] {
  const selection = race.markets[0]?.selections.find((each) => each.name === name);
  return (selection?.prices ?? []).map(
    ({ at, price, closing }) =>
      `${at.slice(11, 19)} ${price ? price.oddsThousandths / 1000 : 'pulled'}${closing ? ' C' : ''}`,
  );
}

/** A price that was not quoted as a fraction. */
export const odds = (thousandths: number) => ({ oddsThousandths: thousandths, fraction: null });

/** Values of a definition or a runner, in place of the usual ones. */
export type Values = Record<string, unknown>;

/** The sample with other values in every definition of the market. */
export const defined = (values: Values) =>
  lines
    .map((line) => {
      const message = JSON.parse(line);
      for (const change of message.mc) if (change.marketDefinition) Object.assign(change.marketDefinition, values);
      return JSON.stringify(message);
    })
    .join('\n');

/** A stream of one market with two runners, told by its changes. */
export function stream(
  ...changes: {
    at: string;
    define?: Values;
    statuses?: [string, string];
    traded?: [number, number][];
    runner?: Values;
  }[]
): string {
  return changes
    .map(({ at, define, statuses = ['ACTIVE', 'ACTIVE'], traded, runner = {} }) => {
      const runners = [
        { id: 1, name: 'First Past', status: statuses[0], ...runner },
        { id: 2, name: 'Second Home', status: statuses[1] },
      ];
      const standing = {
        eventTypeId: '7',
        marketType: 'WIN',
        marketTime: '2026-05-09T14:30:00.000Z',
        status: 'OPEN',
        inPlay: false,
        timezone: 'Europe/London',
        venue: 'Ayr',
        countryCode: 'GB',
        name: '6f Mdn',
      };
      const marketDefinition = define && { ...standing, ...define, runners };
      return JSON.stringify({
        op: 'mcm',
        pt: Date.parse(`2026-05-09T${at}Z`),
        mc: [{ id: '1.7', marketDefinition, rc: traded?.map(([id, ltp]) => ({ id, ltp })) }],
      });
    })
    .join('\n');
}
