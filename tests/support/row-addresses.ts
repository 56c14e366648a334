import { slug } from '@/lib/reference/rules';
import { fullLeague, matches } from './site-matches';
import type { VisitedSite } from './site-setup';

/** What stands in the address of a row of the table of routes: a portfolio with a post of its own, and the first page of each kind of content. */
export type RowWorld = { portfolio: string; post: string; pages: Readonly<Record<string, string>> };

/** An address of a row that exists on the site; for what somebody must have made or bought first, one that leads to nothing. */
export function addressOfRow(pattern: string, site: VisitedSite, { portfolio, post, pages }: RowWorld): string {
  return pattern
    .replace('{portfolioReference}', portfolio)
    .replace('{tipReference}', site.tips.won)
    .replace('{postReference}', post)
    .replace('{fixtureReference}', site.references.soon)
    .replace('{leagueReference}', fullLeague.reference)
    .replace('{participantReference}', slug(matches.played.home))
    .replace('{sportOrFixtureReference}', 'football')
    .replace('{guid}', '00000000-0000-4000-8000-000000000000')
    .replace('{order}', 'abcdefghjk')
    .replace('{user}', '0')
    .replace('{portfolio}', 'nobody-here')
    .replace('{tip}', 'abcdefghjk')
    .replace('{fixture}', 'nobody-v-noone')
    .replace('{payout}', 'abcdefghjkabcdefghjk')
    .replace('{payment}', 'abcdefghjkabcdefghjk')
    .replace('{number}', '1')
    .replace('{kind}/{reference}', 'articles/nothing-of-the-kind')
    .replace('{version}', '1')
    .replace(/\{(feed|bookmaker|country|code)\}/, 'nobody')
    .replace(/\{(run|name|delivery|mail|bounce|event|difference)\}/, '0')
    .replace('{reference}', pages[pattern.split('/')[1] ?? ''] ?? '');
}
