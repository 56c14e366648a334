/**
 * Makes of a piece of work for many one that is asked for singly: what is asked while it is under way waits, and is then done all at once. Each
 * asker hears when theirs is done, or why it was not.
 */
export function gather<T>(work: (items: T[]) => Promise<void>): (item: T) => Promise<void> {
  let waiting: { item: T; done: () => void; failed: (reason: unknown) => void }[] = [];
  let isUnderWay = false;
  const run = async () => {
    isUnderWay = true;
    while (waiting.length > 0) {
      const taken = waiting;
      waiting = [];
      try {
        await work(taken.map(({ item }) => item));
        for (const { done } of taken) done();
      } catch (error) {
        for (const { failed } of taken) failed(error);
      }
    }
    isUnderWay = false;
  };
  return (item) =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed });
      if (!isUnderWay) void run();
    });
}
