let starting: Promise<unknown> | null = null;

/** Notes that the browser's part of the site is being started (0027), which knows who is looking; a start that fails is not waited for. */
export function noteStart(start: Promise<unknown>): void {
  const ended = () => {
    starting = null;
  };
  starting = start.then(ended, ended);
}

/** Resolves when the start that is under way has ended, null without one: what is pressed before then is not sent as a guest's. */
export function startUnderWay(): Promise<unknown> | null {
  return starting;
}
