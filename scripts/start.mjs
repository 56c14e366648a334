import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSite, lastBuild, programOf } from './builds.mjs';
import { enterProject, installPackages, readTypeScript, say } from './set-up.mjs';

const dev = process.argv.includes('--dev');
process.env.NODE_ENV = dev ? 'development' : 'production';
process.env.NEXT_TELEMETRY_DISABLED = '1';

process.setSourceMapsEnabled(true);
enterProject();
await installPackages();
if (dev) await readTypeScript();
else process.env.TIPLEDGER_BUILD = await siteToServe();
const { serve } = await import(
  pathToFileURL(path.resolve(dev ? 'server.ts' : programOf(process.env.TIPLEDGER_BUILD))).href
);
async function siteToServe() {
  if (!process.argv.includes('--last-build')) return buildSite();
  const last = lastBuild();
  if (last) return last;
  say('There is no build yet. Run npm start, which makes one.');
  return process.exit(1);
}

try {
  await serve();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  say(
    dev || process.stderr.isTTY
      ? message
      : JSON.stringify({ level: 'fatal', time: new Date().toISOString(), event: 'program', message }),
  );
  process.exit(1);
}
