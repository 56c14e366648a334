import { type StructuredData, writeStructuredData } from '@/lib/content/rules';

/** What a page says of itself to search engines; a block of data that no browser runs, written so that nothing in it ends the block. */
export function JsonLd({ data }: { data: readonly StructuredData[] }) {
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: writeStructuredData(data) }} />;
}
