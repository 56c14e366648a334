import { act, fireEvent } from '@testing-library/react';

/** The prices to choose that are on the screen. */
export const priceButtons = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('button[data-selection]')];

/** Those that keys alone come to: Tab to each list and once to each grid, arrows within a grid. */
export function reachedByKeys(): HTMLElement[] {
  const reached = new Set<HTMLElement>(priceButtons().filter(({ tabIndex }) => tabIndex === 0));
  const walk = (button: HTMLElement) => {
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp']) {
      act(() => button.focus());
      fireEvent.keyDown(button, { key });
      const at = document.activeElement;
      if (at instanceof HTMLElement && !reached.has(at)) {
        reached.add(at);
        walk(at);
      }
    }
  };
  for (const button of [...reached]) walk(button);
  return [...reached];
}

/** Enter on a button that has the focus, which presses it unless the page makes something else of the key. */
export function pressEnter(button: HTMLElement): void {
  act(() => button.focus());
  if (fireEvent.keyDown(button, { key: 'Enter' })) fireEvent.click(button);
}
