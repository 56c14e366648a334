'use client';

import { useEffect } from 'react';

/** Asks the server for this address, which answers with the whole page that says that nothing is there. */
export function ShowMissing() {
  useEffect(() => window.location.reload(), []);
  return null;
}
