import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { collectMarkup, keepMarkup, pathOfAll, writeMarkup, writeMarkupBy } from '@/lib/http/markup';

const later = () => new Promise((resolve) => setImmediate(resolve));
const placeOf = (id: string | null) => `<div data-markup="" id="${id}"></div>`;

describe('markup', () => {
  test('is written by nobody until the program says by whom', () => {
    expect(writeMarkup('text')).toBeNull();
  });

  test('is written without the pictures that a browser finds in it', () => {
    writeMarkupBy(renderToStaticMarkup);
    const picture = createElement('img', { src: '/images/logo.svg', alt: 'Tipledger' });
    expect(renderToStaticMarkup(picture)).toContain('rel="preload"');
    expect(writeMarkup(picture)).toBe('<img src="/images/logo.svg" alt="Tipledger"/>');
  });

  test('throws for what is not there at once', () => {
    const later = async () => null;
    writeMarkupBy(renderToStaticMarkup);
    expect(() => writeMarkup(createElement(later as unknown as () => null))).toThrow();
  });

  test('has no place of its own on a page that is made for somebody', () => {
    expect(keepMarkup('<p>here</p>')).toBeNull();
    expect(pathOfAll()).toBeNull();
  });

  test('is put into the document of its own page, as it was written, of pages that are made side by side', async () => {
    const make = async (name: string) => {
      const ids: (string | null)[] = [];
      const { made, fill } = collectMarkup({ path: `/${name}`, mark: `mark-of-${name}` }, async () => {
        for (const part of ['head', 'body']) {
          await later();
          ids.push(keepMarkup(`<p>${part} of ${name}: $& $1 $\`</p>`));
        }
        return pathOfAll();
      });
      expect(await made).toBe(`/${name}`);
      return fill(`<main>${ids.map(placeOf).join('<hr>')}</main>`);
    };
    const parts = (name: string) =>
      ['head', 'body'].map((part) => `<div data-markup=""><p>${part} of ${name}: $& $1 $\`</p></div>`).join('<hr>');
    expect(await Promise.all([make('football'), make('tennis')])).toEqual(
      ['football', 'tennis'].map((name) => `<main>${parts(name)}</main>`),
    );
  });

  test('stands in the bytes of the document with letters beyond ASCII', async () => {
    const { made, fill } = collectMarkup({ path: '/', mark: 'secret' }, async () => keepMarkup('<p>Łódź – 日</p>'));
    const id = await made;
    const filled = fill(Buffer.from(`<b>–</b>${placeOf(id)}`).toString('latin1'));
    expect(Buffer.from(filled, 'latin1').toString()).toBe('<b>–</b><div data-markup=""><p>Łódź – 日</p></div>');
  });

  test('is put nowhere else: neither where its text names a place, nor where another mark does', async () => {
    const { made, fill } = collectMarkup({ path: '/', mark: 'secret' }, async () =>
      keepMarkup('<p id="secret-0">x</p>'),
    );
    const id = await made;
    const elsewhere = placeOf('guess-0');
    expect(fill(`${placeOf(id)}${elsewhere}`)).toBe(`<div data-markup=""><p id="secret-0">x</p></div>${elsewhere}`);
  });
});
