import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** True once the page is alive: a press before would be lost, so that buttons wait for it. */
export function useAlive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
