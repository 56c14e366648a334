import { betfair } from '@/lib/feeds/betfair';
import { footballData } from '@/lib/feeds/football-data';
import { openfootball } from '@/lib/feeds/openfootball';
import { theOddsApi } from '@/lib/feeds/the-odds-api';
import type { FileFeed, HttpFeed } from '@/lib/fixtures/schema';

/** The feeds that read files, by the names that the import command knows them under. */
export const fileFeeds: readonly FileFeed[] = [footballData, openfootball, betfair];

/** The feeds that ask a source over HTTP, by the names that the import command knows them under. */
export const httpFeeds: readonly HttpFeed[] = [theOddsApi];
