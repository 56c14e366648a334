import { footballData } from '@/lib/feeds/football-data';
import { openfootball } from '@/lib/feeds/openfootball';
import type { FileFeed } from '@/lib/fixtures/schema/feed';

/** The feeds that read files, by the names that the import command knows them under. */
export const fileFeeds: readonly FileFeed[] = [footballData, openfootball];
