'use client';

import { useEffect, useState } from 'react';
import { listKeptPages, type KeptPage } from '@/components/state/kept-pages';
import { recall, remember } from '@/components/state/tab-storage';
import { Button } from '@/components/ui/button';
import { Time } from '@/components/ui/time';
import styles from './kept-pages.module.scss';

const timeOfVisit = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

const triedKey = 'tipledger:tried-again';

/** True when the connection came back before this page was alive; a server that does not answer is not asked again and again. */
function mayTryAgain(): boolean {
  return navigator.onLine && recall(triedKey) !== location.href && remember(triedKey, location.href);
}

/** The pages on this device, the last visited first; plain links, since a step within the app would ask for a part of a page that is not kept. */
export function KeptPages() {
  const [pages, setPages] = useState<readonly KeptPage[] | null>(null);
  useEffect(() => {
    const again = () => location.reload();
    if (mayTryAgain()) again();
    window.addEventListener('online', again);
    void listKeptPages().then(setPages, () => setPages([]));
    return () => window.removeEventListener('online', again);
  }, []);
  return (
    <>
      <p>
        <Button onClick={() => location.reload()}>Try again</Button>
      </p>
      {pages?.length === 0 && <p>Nothing is kept on this device yet.</p>}
      {pages && pages.length > 0 && (
        <section className={styles.kept} aria-labelledby="kept-pages">
          <h2 id="kept-pages">On this device</h2>
          <ul>
            {pages.map(({ href, title, visited }) => (
              <li key={href}>
                <a href={href}>{title}</a>
                {visited && <Time dateTime={visited}>{timeOfVisit.format(new Date(visited))}</Time>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
