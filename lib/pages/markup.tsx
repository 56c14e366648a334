import type { ReactNode } from 'react';
import { keepMarkup, writeMarkup } from '@/lib/http/markup';

/**
 * Elements that no framework makes alive, written as HTML once (0092). Next would make each of them, write it as data for the browser, read that
 * and make it again. Nothing in it may be asynchronous or a client component.
 */
export function Markup({ children }: { children: ReactNode }) {
  const html = writeMarkup(children);
  if (html === null) return children;
  const id = keepMarkup(html);
  return id === null ? (
    <div data-markup="" dangerouslySetInnerHTML={{ __html: html }} />
  ) : (
    <div data-markup="" id={id} />
  );
}
