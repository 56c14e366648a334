/** How long a press waits for what it is meant for. */
export const pressPatienceMilliseconds = 10_000;

const waiting = new WeakSet<HTMLElement>();

/** The first button that an island shows itself, not in what the server made. */
const ownButton = (island: HTMLElement) =>
  [...island.querySelectorAll<HTMLElement>('button')].find((button) => button.closest('[data-made]') === null);

/** Presses, once, the button that an island shows in the place of what was pressed before it was there; `otherwise` is done when none has come by then. */
export function pressWhenThere(island: HTMLElement, otherwise: () => void): void {
  if (waiting.has(island)) return;
  waiting.add(island);
  const end = () => {
    waiting.delete(island);
    observer.disconnect();
    clearTimeout(timer);
  };
  const press = () => {
    const button = ownButton(island);
    if (!button) return;
    end();
    button.click();
  };
  const timer = setTimeout(() => {
    end();
    otherwise();
  }, pressPatienceMilliseconds);
  const observer = new MutationObserver(press);
  observer.observe(island, { childList: true, subtree: true });
  press();
}
