import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readTypeScript } from './set-up.mjs';

const bundles = path.join('.next', 'cache', 'scripts');
const keptMilliseconds = 24 * 3_600_000;

/** How a program of ours becomes one file for Node; its packages stay where they are installed. */
export const bundleOptions = {
  tsconfig: 'tsconfig.program.json',
  bundle: true,
  packages: 'external',
  // What Node resolves of a package without a list of its exports has an ending.
  alias: { 'next/og': 'next/og.js' },
  platform: 'node',
  target: 'node20',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  sourcemap: true,
  logLevel: 'warning',
};

/** Makes one file of a script in TypeScript, and gives its path; the same file where no source changed. */
export async function bundleScript(script) {
  const { build } = await import('esbuild');
  const name = path.basename(script, '.ts');
  const { outputFiles } = await build({
    ...bundleOptions,
    entryPoints: { [name]: script },
    outdir: bundles,
    entryNames: '[name]-[hash]',
    sourcesContent: false,
    write: false,
  });
  mkdirSync(bundles, { recursive: true });
  // Another process may read it already: it is there whole or not at all.
  for (const { path: file, contents } of outputFiles.filter(({ path: file }) => !existsSync(file))) {
    writeFileSync(`${file}.${process.pid}`, contents);
    renameSync(`${file}.${process.pid}`, file);
  }
  const file = outputFiles.find(({ path: file }) => file.endsWith('.mjs')).path;
  removeOld(name, path.basename(file));
  return file;
}

function removeOld(name, current) {
  const ofScript = new RegExp(`^${name}-[A-Z0-9]{8}\\.mjs`);
  for (const each of readdirSync(bundles)) {
    if (!ofScript.test(each) || each.startsWith(current)) continue;
    const file = path.join(bundles, each);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > keptMilliseconds) rmSync(file, { force: true });
  }
}

/** Imports a script in TypeScript as one file, which starts in a fraction of the time that a loader of TypeScript takes; by such a loader where nothing can be written. */
export async function importScript(script) {
  process.setSourceMapsEnabled(true);
  const file = await bundleScript(script).catch(async (error) => {
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(error.code)) throw error;
    await readTypeScript();
    return path.resolve(script);
  });
  return import(pathToFileURL(file).href);
}
