import { useLayoutEffect } from 'react';
import { dialled, type FooterHelp, helpMark } from '../ui/help-line';
import { useOwn } from '../state/use-own';

function write(place: Element, { name, url, telephone }: FooterHelp): () => void {
  const [service, call] = place.querySelectorAll('a');
  const rest = call?.parentElement;
  if (!service || !call || !rest) return () => undefined;
  const before = { name: service.textContent, url: service.href, telephone: call.textContent };
  const put = (line: FooterHelp) => {
    service.textContent = line.name;
    service.href = line.url;
    call.textContent = line.telephone;
    call.href = dialled(line.telephone);
    rest.hidden = line.telephone === '';
  };
  put({ name, url, telephone });
  return () => put(before);
}

/** Product §9: names who helps in the member's own country, in the places of the page that name who helps in the site's. */
export function OwnHelp() {
  const help = useOwn('GET /user/help-line', {})?.help ?? null;
  useLayoutEffect(() => {
    if (help === null) return undefined;
    const undo = [...document.querySelectorAll(`[${helpMark}]`)].map((place) => write(place, help));
    return () => {
      for (const each of undo) each();
    };
  }, [help]);
  return null;
}
