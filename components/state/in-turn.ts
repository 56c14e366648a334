/** How long a question waits, at random so that not everybody asks in the same instant, and how long it rests after one, in milliseconds. */
export type Turns = { spreadMilliseconds: number; restMilliseconds: number };

const pauseOf = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/**
 * A question that is asked again and again, one at a time: what comes while one waits, is under way or rests is answered by one more. Gives how it is
 * asked, after its spread or `atOnce`; one that fails says nothing.
 */
export function inTurn(
  ask: () => Promise<void>,
  { spreadMilliseconds, restMilliseconds }: Turns,
): (atOnce?: boolean) => void {
  let isAsking = false;
  let isWanted = false;
  const take = async (pause: number) => {
    isWanted = isAsking;
    if (isAsking) return;
    isAsking = true;
    await pauseOf(pause);
    // What came before it is asked is in its answer.
    isWanted = false;
    await ask().catch(() => undefined);
    if (restMilliseconds > 0) await pauseOf(restMilliseconds);
    isAsking = false;
    if (isWanted) void take(Math.random() * spreadMilliseconds);
  };
  return (atOnce = false) => void take(atOnce ? 0 : Math.random() * spreadMilliseconds);
}
