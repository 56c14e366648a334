import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSite, enterProject, installPackages, readTypeScript, say } from './set-up.mjs';

const dev = process.argv.includes('--dev');
process.env.NODE_ENV = dev ? 'development' : 'production';
process.env.NEXT_TELEMETRY_DISABLED = '1';

enterProject();
await installPackages();
if (!dev) buildSite();
await readTypeScript();
const { serve } = await import(pathToFileURL(path.resolve('server.ts')).href);
try {
  await serve();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
