import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { env } from '@/lib/platform/env';
import { isFailure } from '@/lib/platform/errors';
import { shareImageSize, siteImage } from './share-cards';
import { fitting } from './titles';

/** The value, or the 404 page when the query says that it is missing. */
export async function orNotFound<T>(value: Promise<T>): Promise<T> {
  try {
    return await value;
  } catch (error) {
    if (isFailure(error, 'missing')) notFound();
    throw error;
  }
}

/** A picture that other sites show beside a link to a page: where it is, and what it shows in words. */
export type PageImage = { address: string; alt: string };

/** A feed of what is new on a page, or what other programs take of it. */
export type PageFeed = { type: string; title: string; path: string };

/** What a page says of itself; `path` is its address without the parameters that do not change what it is. */
export type PageFacts = {
  title: string;
  description: string;
  path: string;
  index?: boolean;
  image?: PageImage;
  feeds?: readonly PageFeed[];
};

/** Title, description, canonical link, picture and feeds of a page. */
export function pageMetadata({
  title,
  description,
  path,
  index = true,
  image = siteImage(),
  feeds = [],
}: PageFacts): Metadata {
  const { siteUrl } = env();
  const url = `${siteUrl}${path}`;
  const types: Record<string, { url: string; title: string }[]> = {};
  for (const { type, title: name, path: at } of feeds)
    (types[type] ??= []).push({ url: `${siteUrl}${at}`, title: name });
  return {
    title: fitting([`${title} · Tipledger`, title]),
    description,
    alternates: { canonical: url, ...(feeds.length > 0 && { types }) },
    openGraph: {
      title,
      description,
      url,
      siteName: 'Tipledger',
      type: 'website',
      locale: 'en_GB',
      images: [{ url: `${siteUrl}${image.address}`, ...shareImageSize, alt: image.alt }],
    },
    twitter: { card: 'summary_large_image' },
    ...(index ? {} : { robots: { index: false } }),
  };
}

/** What the address of a page carries beside its path. */
export type PageQuery = Readonly<Record<string, string | string[] | undefined>>;

/** True for a page that is asked for as it is, without a parameter that makes it a view of it. */
export function isPlain(given: Record<string, unknown>): boolean {
  return Object.keys(given).length === 0;
}

/** The one value of a search parameter, or undefined when it is absent, repeated or empty. */
export function single(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
