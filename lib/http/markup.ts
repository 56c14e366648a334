import type { ReactNode } from 'react';
import { Scoped } from '@/lib/platform/scoped';
import { singleton } from '@/lib/platform/singleton';

/** Writes elements as HTML at once: React's `renderToStaticMarkup`, which Next keeps from server components. */
type WriteMarkup = (children: ReactNode) => string;

/** The page that is being made for everybody, and its markup, which is put into the document last; nobody can guess the mark by which its places are found. */
type Page = { path: string; mark: string; written: string[] };

const writer = singleton<{ write: WriteMarkup | null }>('markup-writer', () => ({ write: null }));
const collecting = new Scoped<Page>('markup-page');

/** Lets markup be written by `write` from now on. */
export function writeMarkupBy(write: WriteMarkup): void {
  writer.write = write;
}

// A browser finds pictures in the markup itself; React names them before it as well.
const pictures = /^(?:<link rel="preload" as="image"[^>]*>)+/;

/** The HTML of these elements; null where nothing writes any, as in tests of single pages. Throws for what is asynchronous or a client component. */
export function writeMarkup(children: ReactNode): string | null {
  return writer.write?.(children).replace(pictures, '') ?? null;
}

/** The path of the page that is being made for everybody; null where a page is made for somebody. */
export function pathOfAll(): string | null {
  return collecting.get()?.path ?? null;
}

/** Keeps HTML until the document around it is made, and returns the id of the element that it is put into; null where nothing collects it. */
export function keepMarkup(html: string): string | null {
  const page = collecting.get();
  return page === undefined ? null : `${page.mark}-${page.written.push(html) - 1}`;
}

const bytesOf = (text: string) => Buffer.from(text).toString('latin1');

/** Runs `body`, which makes the page at `path` for everybody; `fill` puts the markup kept meanwhile into its document, which has a character for each byte. */
export function collectMarkup<T>(
  { path, mark }: Pick<Page, 'path' | 'mark'>,
  body: () => Promise<T>,
): { made: Promise<T>; fill(html: string): string } {
  const page: Page = { path, mark, written: [] };
  const places = new RegExp(` id="${mark}-(\\d+)">`, 'g');
  return {
    made: collecting.run(page, body),
    fill: (html) => html.replace(places, (_, place: string) => `>${bytesOf(page.written[Number(place)] ?? '')}`),
  };
}
