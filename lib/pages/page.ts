import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { env } from '@/lib/platform/env';
import { isFailure } from '@/lib/platform/errors';

/** The value, or the 404 page when the query says that it is missing. */
export async function orNotFound<T>(value: Promise<T>): Promise<T> {
  try {
    return await value;
  } catch (error) {
    if (isFailure(error, 'missing')) notFound();
    throw error;
  }
}

/** Title, description and canonical link of a page; `path` is the page's address without the parameters that do not change what it is. */
export function pageMetadata({
  title,
  description,
  path,
  index = true,
}: {
  title: string;
  description: string;
  path: string;
  index?: boolean;
}): Metadata {
  const url = `${env().siteUrl}${path}`;
  return {
    title: `${title} · Tipledger`,
    description,
    alternates: { canonical: url },
    openGraph: { title, description, url, siteName: 'Tipledger', type: 'website', locale: 'en_GB' },
    ...(index ? {} : { robots: { index: false } }),
  };
}

/** The one value of a search parameter, or undefined when it is absent, repeated or empty. */
export function single(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
