import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSite, builtProgram, enterProject, installPackages, readTypeScript, say } from './set-up.mjs';

const dev = process.argv.includes('--dev');
process.env.NODE_ENV = dev ? 'development' : 'production';
process.env.NEXT_TELEMETRY_DISABLED = '1';

process.setSourceMapsEnabled(true);
enterProject();
await installPackages();
if (dev) await readTypeScript();
else await buildSite();
const { serve } = await import(pathToFileURL(path.resolve(dev ? 'server.ts' : builtProgram)).href);
try {
  await serve();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  say(dev || process.stderr.isTTY ? message : JSON.stringify({ level: 'fatal', time: new Date().toISOString(), event: 'program', message }));
  process.exit(1);
}
