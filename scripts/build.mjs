import { buildSite, enterProject, installPackages } from './set-up.mjs';

enterProject();
await installPackages();
await buildSite();
