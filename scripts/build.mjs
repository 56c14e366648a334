import { buildSite } from './builds.mjs';
import { enterProject, installPackages } from './set-up.mjs';

enterProject();
await installPackages();
await buildSite();
