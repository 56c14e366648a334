import { createHash } from 'node:crypto';
import { beforePaint, markingPolicy, newMark, withoutMarks } from '@/lib/http/own-scripts';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const known = hashOf(beforePaint);

test('the scripts of a document that may run are those that bear the mark of its making, and the one that is written in the layout', () => {
  const html = `<script>${beforePaint}</script><script nonce="m1">a()</script><script id="b" nonce="m1"> b("<p>") </script><script nonce="m1">a()</script><script src="/x.js" async="" nonce="m1"></script>`;
  expect(withoutMarks(html, 'm1').hashes).toEqual([known, hashOf('a()'), hashOf(' b("<p>") ')]);
});

test.each([
  ['without a mark', '<script>evil()</script>'],
  ['with a mark of its own', '<script nonce="m2">evil()</script>'],
  ['whose text holds one that is marked', '<script>evil()//<script nonce="m1">a()</script>'],
  ['whose attribute only looks like a mark', '<script data-nonce="m1">evil()</script>'],
])('a script %s may not', (_, injected) => {
  const { hashes } = withoutMarks(`${injected}<script nonce="m1">a()</script>`, 'm1');
  expect(hashes).toEqual([known, hashOf('a()')]);
});

test('a script with letters beyond ASCII has the hash that a browser computes of its bytes', () => {
  const bytes = Buffer.from('<script nonce="m1">say("é – 日")</script>–').toString('latin1');
  const { html, hashes } = withoutMarks(bytes, 'm1');
  expect(hashes).toEqual([known, hashOf('say("é – 日")')]);
  expect(Buffer.from(html, 'latin1').toString()).toBe('<script>say("é – 日")</script>–');
});

test('nothing of the marks is left, neither in the tags nor in the data by which the page comes alive', () => {
  const data = 'self.__next_f.push([1,"0:{\\"src\\":\\"/x.js\\",\\"nonce\\":\\"m1\\"}"])';
  const { html, hashes } = withoutMarks(`<link rel="preload" nonce="m1"/><script nonce="m1">${data}</script>`, 'm1');
  expect(html).toBe(
    '<link rel="preload"/><script>self.__next_f.push([1,"0:{\\"src\\":\\"/x.js\\",\\"nonce\\":\\"$undefined\\"}"])</script>',
  );
  expect(hashes).toContain(hashOf('self.__next_f.push([1,"0:{\\"src\\":\\"/x.js\\",\\"nonce\\":\\"$undefined\\"}"])'));
});

test('no two makings have the same mark, and Next reads it', () => {
  const marks = new Set(Array.from({ length: 1_000 }, newMark));
  expect(marks.size).toBe(1_000);
  for (const mark of marks) expect(markingPolicy(mark)).toMatch(/^script-src 'nonce-[\w-]{24}'$/);
});
