import type { Status } from './status';

/** How far an event was spread, as it is stored; `stage` and `afterAccount` are null where nothing is left to be done. */
export type StoredSpread = { at: Date; failure: string | null; stage: number | null; afterAccount: number | null };

/** How an event stands. */
export type SpreadStatus = Status<'spread' | 'failing' | 'old' | 'under-way' | 'waiting'>;

/** Product §12: days after which an event is no news any more. */
const staleDays = 2;

/** True for an event that is no news any more: nobody is told of it from then on. */
export const isOldNews = (at: Date, now: Date): boolean => now.getTime() - at.getTime() > staleDays * 86_400_000;

/** Product §11, §12: how the spreading of an event stands at a moment, in the words of who runs the site. */
export function spreadStatus({ at, failure, stage, afterAccount }: StoredSpread, now: Date): SpreadStatus {
  if (stage === null)
    return {
      name: 'spread',
      title: 'Not spread any more',
      tone: 'plain',
      meaning: 'It was put down for everybody whom it is for, or was given up: what staff did is below.',
    };
  if (isOldNews(at, now))
    return {
      name: 'old',
      title: 'Old news',
      tone: 'plain',
      meaning: 'It is older than two days: the next run removes it from the queue.',
    };
  if (failure !== null)
    return {
      name: 'failing',
      title: 'Fails',
      tone: 'loss',
      meaning:
        'Its last try failed and was undone. It is tried again every two seconds, and holds up no other event. Those who have heard of it do not hear again.',
    };
  if (stage > 0 || (afterAccount ?? 0) > 0)
    return {
      name: 'under-way',
      title: 'Under way',
      tone: 'notice',
      meaning:
        stage > 0
          ? 'It is put down for followers, a batch of people at a time; members were before them.'
          : 'It is put down for members, a batch of people at a time; followers come after them.',
    };
  return {
    name: 'waiting',
    title: 'Waits',
    tone: 'notice',
    meaning: 'The next run spreads it, within seconds. Where it stays so, look at the job spread-news.',
  };
}
