/** The present moment; the only place in the program that asks for it. Everything else receives `now` as an argument. */
export function now(): Date {
  return new Date();
}
