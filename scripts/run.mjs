import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { enterProject, installPackages, readTypeScript } from './set-up.mjs';

const callerFolder = process.env.INIT_CWD ?? process.cwd();
const [script = '', ...args] = process.argv.slice(2);
process.env.NODE_ENV ??= 'production';

enterProject();
await installPackages();
await readTypeScript();
const { main } = await import(pathToFileURL(path.resolve(script)).href);
process.exitCode = await main(args, callerFolder);
