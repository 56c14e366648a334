import module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSite, lastBuild, markRunning, programOf } from './builds.mjs';
import { enterProject, installPackages, readTypeScript, say } from './set-up.mjs';

const dev = process.argv.includes('--dev');
process.env.NODE_ENV = dev ? 'development' : 'production';
process.env.NEXT_TELEMETRY_DISABLED = '1';

process.setSourceMapsEnabled(true);
enterProject();
const program = await orEnd(prepare());
const { serve } = await import(pathToFileURL(path.resolve(program)).href);
await orEnd(serve());

async function prepare() {
  await installPackages();
  return dev ? sources() : builtProgram();
}

async function sources() {
  await readTypeScript();
  return 'server.ts';
}

async function builtProgram() {
  const build = await siteToServe();
  process.env.TIPLEDGER_BUILD = build;
  markRunning(build);
  // From Node 22 on.
  module.enableCompileCache?.(path.join(build, 'compiled'));
  return programOf(build);
}

async function siteToServe() {
  if (!process.argv.includes('--last-build')) return buildSite();
  const last = lastBuild();
  if (last) return last;
  say('There is no build yet. Run npm start, which makes one.');
  return process.exit(1);
}

/** Ends the program with what went wrong, in words or as a line of the log. */
function orEnd(work) {
  return work.catch((error) => {
    const message = error instanceof Error ? error.message : String(error);
    say(
      dev || process.stderr.isTTY
        ? message
        : JSON.stringify({ level: 'fatal', time: new Date().toISOString(), event: 'program', message }),
    );
    process.exit(1);
  });
}
