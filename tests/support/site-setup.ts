import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { slug } from '@/lib/reference/rules';
import { importFiles, newDataFolder, type RunningSite, runProgram, startSite } from './site';
import { fullLeague, matches, siteFiles } from './site-matches';
import type { Published } from './site-tips';

/** The site that all end-to-end tests visit: where it answers, the address that it is told to call its own, its data folder, and what of its content tests look for. */
export type VisitedSite = Published & {
  origin: string;
  siteUrl: string;
  dataFolder: string;
  references: Record<keyof typeof matches, string>;
  earlierResults: string;
  hasSeason: boolean;
};

const siteUrl = 'https://tipledger.example';
const season = path.resolve('../shared/data/E0_2526.csv');

const pageOf = async (origin: string, path: string) => (await fetch(`${origin}${path}`)).text();

async function earlierResultsOn(origin: string): Promise<string> {
  const found = /href="([^"]*before=[^"]*)"/.exec(
    await pageOf(origin, `/football/league/${fullLeague.reference}`),
  )?.[1];
  if (!found) throw new Error(`The results of ${fullLeague.name} have no second page.`);
  return found.replaceAll('&amp;', '&');
}

async function referencesOn(origin: string): Promise<VisitedSite['references']> {
  const pages = await Promise.all(['/football', '/football?days=31'].map((path) => pageOf(origin, path)));
  const found = Object.entries(matches).map(([name, { home, away }]) => {
    const pattern = new RegExp(`/fixture/(${slug(home)}-v-${slug(away)}-[0-9-]+)"`);
    const reference = pattern.exec(pages.join(''))?.[1];
    if (!reference) throw new Error(`The page of football does not list ${home} v ${away}.`);
    return [name, reference];
  });
  return Object.fromEntries(found) as VisitedSite['references'];
}

async function importMatches(folder: string, dataFolder: string, hasSeason: boolean): Promise<void> {
  const files = siteFiles(new Date()).map(({ name, text }) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  });
  await importFiles(dataFolder, 'football-data', hasSeason ? [...files, season] : files);
}

async function publish(folder: string, dataFolder: string): Promise<Published> {
  const file = path.join(folder, 'published.json');
  await runProgram(dataFolder, 'tests/support/site-tipsters.ts', [file]);
  return JSON.parse(readFileSync(file, 'utf8')) as Published;
}

/** Imports matches around the present by the real command, has tipsters publish on them, starts the production site on them, and returns what ends it; leaves nothing behind when it fails. */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = newDataFolder();
  const dataFolder = path.join(folder, 'data');
  const hasSeason = existsSync(season);
  let site: RunningSite | null = null;
  const end = async () => {
    const code = await site?.end();
    rmSync(folder, { recursive: true, force: true });
    if (site && code !== 0) throw new Error(`The site ended with ${code}:\n${site.said()}`);
  };
  try {
    await importMatches(folder, dataFolder, hasSeason);
    const published = await publish(folder, dataFolder);
    site = await startSite({ TIPLEDGER_DATA: dataFolder, TIPLEDGER_SITE_URL: siteUrl, TIPLEDGER_PROXIES: '1' });
    const { origin } = site;
    const visited: VisitedSite = {
      origin,
      siteUrl,
      dataFolder,
      references: await referencesOn(origin),
      ...published,
      earlierResults: await earlierResultsOn(origin),
      hasSeason,
    };
    process.env.TIPLEDGER_VISITED_SITE = JSON.stringify(visited);
  } catch (error) {
    await end().catch(() => undefined);
    throw error;
  }
  return end;
}
