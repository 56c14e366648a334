/** Spec §4: what lets modals and lazy blocks load: the window's load event, the visitor's first touch, click or key, and knowing that a member is here. */
export type Signal = 'load' | 'interaction' | 'member';

/** Ours: how long after the load event 'load' is signalled, so that what was asked for by the page itself comes first. */
export const windowLoadDelayMilliseconds = 500;

const touches = ['pointerdown', 'keydown', 'touchstart', 'wheel'] as const;
const memberEvent = 'tipledger:member';

const passive = { once: true, passive: true } as const;

const watchers: Record<Signal, (listener: () => void) => () => void> = {
  load: (listener) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => void (timer = setTimeout(listener, windowLoadDelayMilliseconds));
    if (document.readyState === 'complete') wait();
    else window.addEventListener('load', wait, passive);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('load', wait);
    };
  },
  interaction: (listener) => {
    for (const touch of touches) window.addEventListener(touch, listener, passive);
    return () => {
      for (const touch of touches) window.removeEventListener(touch, listener);
    };
  },
  member: (listener) => {
    if (document.documentElement.dataset.viewer === 'member') listener();
    else window.addEventListener(memberEvent, listener, passive);
    return () => window.removeEventListener(memberEvent, listener);
  },
};

/** Calls the listener once, at the first of the signals; returns what calls it off. */
export function onFirst(signals: readonly Signal[], listener: () => void): () => void {
  let isOver = false;
  const stops: (() => void)[] = [];
  const end = () => {
    isOver = true;
    for (const stop of stops) stop();
  };
  for (const signal of signals) {
    if (isOver) break;
    stops.push(
      watchers[signal](() => {
        if (isOver) return;
        end();
        listener();
      }),
    );
  }
  if (isOver) end();
  return end;
}

/** Marks the page with who is looking, for styles and for whatever waits for a member; nothing waits for a guest. */
export function markViewer(kind: 'guest' | 'member'): void {
  document.documentElement.dataset.viewer = kind;
  if (kind === 'guest') {
    delete document.documentElement.dataset.known;
    delete document.documentElement.dataset.awaits;
  } else window.dispatchEvent(new Event(memberEvent));
}
