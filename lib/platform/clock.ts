import { singleton } from './singleton';

/** The last moment that the database told, and when it came in on the clock of `performance.now()`, which nobody sets. */
const told = singleton('clock', () => ({ at: 0, heardAt: 0, isKnown: false }));

const longestWayMilliseconds = 250;

/**
 * Sets the clock by a moment of the database that was asked for and heard at these times of `performance.now()`. One that was long on its way is
 * only taken when the clock is further off than that.
 */
export function keepTime(at: Date, askedAt: number, heardAt: number): void {
  const way = heardAt - askedAt;
  const off = Math.abs(nowMilliseconds() - at.getTime());
  if (told.isKnown && way > longestWayMilliseconds && off <= way) return;
  Object.assign(told, { at: at.getTime(), heardAt, isKnown: true });
}

/** The present moment in milliseconds since 1970, by the database's clock once it was asked. */
export function nowMilliseconds(): number {
  return told.isKnown ? told.at + performance.now() - told.heardAt : Date.now();
}

/** The present moment, as `nowMilliseconds`; these are the only places in the program that ask for it. Everything else receives `now` as an argument. */
export function now(): Date {
  return new Date(nowMilliseconds());
}

/** How many milliseconds this machine's clock is ahead of the database's. */
export function clockAheadMilliseconds(): number {
  return told.isKnown ? Date.now() - nowMilliseconds() : 0;
}
