import { importScript } from './bundle.mjs';
import { enterProject, installPackages } from './set-up.mjs';

const callerFolder = process.env.INIT_CWD ?? process.cwd();
const [script = '', ...args] = process.argv.slice(2);
process.env.NODE_ENV ??= 'production';

enterProject();
await installPackages();
const { main } = await importScript(script);
process.exitCode = await main(args, callerFolder);
