import { buildSite, enterProject, installPackages } from './set-up.mjs';

enterProject();
await installPackages();
buildSite();
