'use client';

import { useEffect, useState } from 'react';
import { routes } from '@/lib/routes';
import { useAlive } from '../ui/use-alive';
import { ErrorPage } from './error-page';

/** Stands where the router met something that is missing until the server has sent the whole page that says so. */
export function ShowMissing() {
  const isAlive = useAlive();
  // What came with the document would come again, without end.
  const [isByRouter] = useState(isAlive);
  useEffect(() => {
    if (isByRouter) location.reload();
  }, [isByRouter]);
  return (
    <ErrorPage status={404} title="There is no page at this address" links={[{ href: routes.home(), title: 'Home' }]}>
      <p>The page may have been taken down.</p>
    </ErrorPage>
  );
}
