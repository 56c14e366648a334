import { routes } from '@/lib/routes';

/** Ours: the numbers of days that are one press away; any other can be typed. */
export const dayWindows = [1, 2, 3, 7, 14];

export const daysTitle = (days: number): string => (days === 1 ? 'A day' : `${days} days`);

/** A tab for each number of days, the one shown among them. */
export function dayTabs(reference: string | undefined, days: number) {
  const windows = dayWindows.includes(days) ? dayWindows : [...dayWindows, days].toSorted((a, b) => a - b);
  return {
    activeHref: routes.addTips(reference, { days }),
    tabs: windows.map((window) => ({ href: routes.addTips(reference, { days: window }), title: daysTitle(window) })),
  };
}
