/** How long a press waits for what it is meant for. */
export const pressPatienceMilliseconds = 10_000;

/** What was pressed before it was alive, by the island it stands in. */
const pressed = new Map<HTMLElement, () => void>();

/** Keeps a press on an island until it is there; `otherwise` is done when nothing in it can be pressed by then. */
export function keepPress(island: HTMLElement, otherwise: () => void): void {
  const timer = setTimeout(() => pressed.delete(island) && otherwise(), pressPatienceMilliseconds);
  pressed.set(island, () => clearTimeout(timer));
}

const ownButton = (island: HTMLElement) =>
  [...island.children]
    .slice(island.children.length > 1 ? 1 : 0)
    .flatMap((part) =>
      part.matches('button') ? [part as HTMLElement] : [...part.querySelectorAll<HTMLElement>('button')],
    )[0];

/** Presses what an island shows in the place of what was pressed before it was there; returns what calls it off. */
export function pressAgain(island: HTMLElement): () => void {
  const press = () => {
    const settle = pressed.get(island);
    const button = settle && ownButton(island);
    if (!button) return settle === undefined;
    pressed.delete(island);
    settle();
    button.click();
    return true;
  };
  if (press()) return () => undefined;
  const observer = new MutationObserver(() => press() && observer.disconnect());
  observer.observe(island, { childList: true, subtree: true });
  return () => observer.disconnect();
}
