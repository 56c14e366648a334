import { useEffect } from 'react';
import { useOwn } from '../state/use-own';
import { bookmakerMark } from './marks';

const marked = () => [...document.querySelectorAll<HTMLElement>(`[${bookmakerMark}]`)];

/** Leaves out of the page's lists what is of bookmakers that do not serve the member's country. */
export function OwnReviews() {
  const own = useOwn('GET /user/bookmakers', {});
  useEffect(() => {
    const blocked = new Set(own?.bookmakers.flatMap(({ id, markets }) => (markets ? [] : [String(id)])));
    const entries = marked().flatMap((mark) => {
      const entry = mark.closest('li');
      return entry && blocked.has(mark.getAttribute(bookmakerMark) ?? '') ? [entry] : [];
    });
    for (const entry of entries) entry.hidden = true;
    return () => {
      for (const entry of entries) entry.hidden = false;
    };
  }, [own]);
  return null;
}

/** True where the page lists bookmakers. */
export const listsBookmakers = (): boolean => marked().length > 0;
