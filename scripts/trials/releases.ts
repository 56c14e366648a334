import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Refusal } from '../bench/benchmark';

const shared = ['node_modules', 'public', 'content', 'migrations', 'package.json', 'package-lock.json'];
const texts = /\.(?:js|mjs|json|html|css|rsc|meta|body|txt)$/;
const hash = /[0-9a-f]{16}/g;

/**
 * Makes the folder of a release as `npm run package` lays it out, of the last build: what it installs is shared by a link, and every script and
 * style has a name of this release's own, as if its content were another.
 */
export function makeRelease(releases: string, number: number): void {
  const pointer = '.next/current';
  if (!existsSync(pointer)) throw new Refusal('There is no build yet. Make one with npm run build.');
  const built = path.join('.next/builds', readFileSync(pointer, 'utf8').trim());
  const folder = path.join(releases, String(number));
  const site = path.join(folder, '.next');
  mkdirSync(folder, { recursive: true });
  cpSync(built, site, { recursive: true });
  for (const name of shared) symlinkSync(path.resolve(name), path.join(folder, name));
  rename(site, number);
  cpSync('scripts/tipledger.mjs', path.join(folder, 'tipledger.mjs'));
}

/** Lets `current` lead to a release from now on. */
export function switchTo(releases: string, number: number): void {
  const next = path.join(releases, 'new');
  symlinkSync(path.join(releases, String(number)), next);
  renameSync(next, path.join(releases, 'current'));
}

function rename(site: string, number: number): void {
  const files = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = new Set(files(path.join(site, 'static')).flatMap(({ name }) => name.match(hash) ?? []));
  const found = new RegExp([...names].join('|'), 'g');
  const other = (name: string) => createHash('sha256').update(`${name} ${number}`).digest('hex').slice(0, name.length);
  for (const { name, parentPath } of files(site)) {
    const file = path.join(parentPath, name);
    if (texts.test(name)) writeFileSync(file, readFileSync(file, 'utf8').replace(found, other));
    const renamed = parentPath.includes(`${path.sep}static`) ? name.replace(found, other) : name;
    if (renamed !== name) renameSync(file, path.join(parentPath, renamed));
  }
}
