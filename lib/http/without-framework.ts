import { readFileSync } from 'node:fs';
import path from 'node:path';

const script = /<script\b([^>]*)>[\s\S]*?<\/script>/g;
// A note of the framework to itself, which it writes before or after the title, so that a page made twice would be two.
const note = /<meta name="next-size-adjust"[^>]*>/g;
const preload = /<link\b[^>]*\brel="(?:preload|modulepreload)"[^>]*>/g;

/** The scripts of the islands in a build, by their addresses; none in a build of before there were any. */
export function islandScripts(built: string): string[] {
  try {
    return JSON.parse(readFileSync(path.join(built, 'islands.json'), 'utf8')) as string[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** A document without the scripts and the data by which the framework would make it alive, which bear `mark`, and with the scripts of its islands (0060). */
export function withoutFramework(html: string, mark: string, scripts: readonly string[]): string {
  const isMarked = (text: string) => text.includes(`nonce="${mark}"`);
  const bare = html
    .replace(note, '')
    .replace(script, (whole, attributes: string) => (isMarked(attributes) ? '' : whole))
    // A picture is found in the markup itself; the framework also names those of boundaries that are not shown.
    .replace(preload, (whole) => (/\bas="(?:script|image)"/.test(whole) ? '' : whole));
  // 0040: at the end, where everything before them is there, and not deferred, so that the first layout of the page need not wait for them.
  const own = scripts.map((address) => `<script src="${address}" async=""></script>`).join('');
  return bare.replace('</body>', `${own}</body>`);
}
