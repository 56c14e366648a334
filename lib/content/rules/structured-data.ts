import { routes } from '@/lib/routes';
import type { ContentSource } from '../schema/pages';
import { sections } from '../schema/sections';

/** A statement of schema.org, as JSON-LD. */
export type StructuredData = { '@context': 'https://schema.org'; '@type': string } & Record<string, unknown>;

const publisher = (siteUrl: string) => ({ '@type': 'Organization', name: 'Tipledger', url: siteUrl });

/** Product §9: where a page stands, as a BreadcrumbList; addresses are made whole with `siteUrl`. */
export function breadcrumbData(trail: readonly { href: string; title: string }[], siteUrl: string): StructuredData {
  const itemListElement = trail.map(({ href, title }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: title,
    item: `${siteUrl}${href}`,
  }));
  return { '@context': 'https://schema.org', '@type': 'BreadcrumbList', itemListElement };
}

/** Product §9: a page as an Article. */
export function articleData(page: ContentSource, path: string, siteUrl: string): StructuredData {
  return {
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: page.title,
    description: page.summary,
    datePublished: page.publishedOn,
    dateModified: page.updatedOn ?? page.publishedOn,
    inLanguage: 'en-GB',
    mainEntityOfPage: `${siteUrl}${path}`,
    author: publisher(siteUrl),
    publisher: publisher(siteUrl),
  };
}

/** Product §13: a term of the glossary as a DefinedTerm. */
export function termData(
  page: Pick<ContentSource, 'title' | 'summary'>,
  path: string,
  siteUrl: string,
): StructuredData {
  return {
    '@context': 'https://schema.org',
    '@type': 'DefinedTerm',
    name: page.title,
    description: page.summary,
    url: `${siteUrl}${path}`,
    inDefinedTermSet: {
      '@type': 'DefinedTermSet',
      name: sections['betting-terms'].title,
      url: `${siteUrl}${routes.section('betting-terms')}`,
    },
  };
}

/** Product §9: the review of a bookmaker as a Review, with its rating of 5 where it has one. */
export function reviewData(
  page: ContentSource<'bookmaker-reviews'>,
  bookmaker: { name: string; description: string },
  path: string,
  siteUrl: string,
): StructuredData {
  const { rating, pros, cons } = page.facts;
  const notes = (lines: readonly string[]) => ({
    '@type': 'ItemList',
    itemListElement: lines.map((name, index) => ({ '@type': 'ListItem', position: index + 1, name })),
  });
  return {
    '@context': 'https://schema.org',
    '@type': 'Review',
    name: page.title,
    description: page.summary,
    datePublished: page.publishedOn,
    inLanguage: 'en-GB',
    url: `${siteUrl}${path}`,
    author: publisher(siteUrl),
    publisher: publisher(siteUrl),
    itemReviewed: { '@type': 'Organization', name: bookmaker.name, description: bookmaker.description },
    ...(rating === null
      ? {}
      : { reviewRating: { '@type': 'Rating', ratingValue: rating, bestRating: 5, worstRating: 0 } }),
    positiveNotes: notes(pros),
    negativeNotes: notes(cons),
  };
}

/** JSON-LD as the text of a script element: nothing in it can end the element. */
export function writeStructuredData(data: readonly StructuredData[]): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
