import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { islandScripts, withoutFramework } from '@/lib/http/without-framework';

const mark = 'm-1';
const page = (head: string, body: string) => `<!DOCTYPE html><html><head>${head}</head><body>${body}</body></html>`;
const scripts = ['/_next/static/chunks/webpack-1.js', '/_next/static/chunks/islands-2.js'];

test('takes out what the framework put there and nothing else', () => {
  const head = [
    '<link rel="stylesheet" href="/a.css" nonce="m-1"/>',
    '<link rel="preload" as="font" href="/a.woff2" nonce="m-1"/>',
    '<link rel="preload" href="/logo-of-another-page.svg" as="image"/>',
    '<link rel="preload" as="script" fetchPriority="low" href="/webpack.js" nonce="m-1"/>',
    '<script src="/main-app.js" async="" nonce="m-1"></script>',
  ];
  const body = [
    '<script>own()</script>',
    '<p>Text &lt;script nonce="m-1">not one&lt;/script></p>',
    '<script type="application/ld+json">{"a":"<p nonce=\\"m-1\\">"}</script>',
    '<script id="browser-config" type="application/json">{"debug":false}</script>',
    '<script nonce="m-1">self.__next_f.push([1,"</p>"])</script>',
    '<script src="/webpack.js" id="_R_" async="" nonce="m-1"></script>',
  ];
  expect(withoutFramework(page(head.join(''), body.join('')), mark, scripts)).toBe(
    page(
      `${head[0]}${head[1]}`,
      `${body.slice(0, 4).join('')}<script src="/_next/static/chunks/webpack-1.js" async=""></script><script src="/_next/static/chunks/islands-2.js" async=""></script>`,
    ),
  );
});

test('is one document whether the framework wrote its note before the title or after it', () => {
  const note = '<meta name="next-size-adjust" content=""/>';
  const title = '<title>Tennis</title><meta name="description" content="Tips"/>';
  const [before, after] = [note + title, title + note].map((head) =>
    withoutFramework(page(head, '<main></main>'), mark, []),
  );
  expect(before).toBe(after);
  expect(before).toBe(page(title, '<main></main>'));
});

test('leaves a script alone that bears another mark: it was not put there by this render', () => {
  const foreign = page('', '<script nonce="m-2">bad()</script>');
  expect(withoutFramework(foreign, mark, [])).toBe(foreign);
});

test('reads which scripts a build has for its islands, and none where it has none', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-islands-'));
  try {
    expect(islandScripts(folder)).toEqual([]);
    writeFileSync(path.join(folder, 'islands.json'), JSON.stringify(scripts));
    expect(islandScripts(folder)).toEqual(scripts);
    writeFileSync(path.join(folder, 'islands.json'), 'x');
    expect(() => islandScripts(folder)).toThrow(SyntaxError);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
