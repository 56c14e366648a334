import { BookmakerOffer } from '@/components/content/bookmaker-offer';
import { Island } from '@/components/islands/island';
import { Verdict } from '@/components/content/verdict';
import { articleData, cleanHtml, reviewData } from '@/lib/content/rules';
import { env } from '@/lib/platform/env';
import { isBookmakerVisible } from '@/lib/odds/rules';
import { listBookmakers } from '@/lib/reference/queries';
import { defaultCountry } from '@/lib/reference/schema';
import { contentMetadata, type ContentPageProps, SectionPage } from '../../_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = async ({ params }: ContentPageProps) =>
  contentMetadata('bookmaker-reviews', (await params).reference);

export default async function BookmakerReviewPage({ params }: ContentPageProps) {
  const bookmakers = await listBookmakers();
  const bookmakerOf = (id: number) => bookmakers.find((bookmaker) => bookmaker.id === id);
  return (
    <SectionPage
      kind="bookmaker-reviews"
      reference={(await params).reference}
      before={({ facts }) => {
        const bookmaker = bookmakerOf(facts.bookmakerId);
        // What the review says for it stands there once.
        const points = bookmaker?.bulletPoints.filter((point) => !facts.pros.includes(point)) ?? [];
        const notIn =
          bookmaker && !isBookmakerVisible(bookmaker, defaultCountry.id, 'markets') ? defaultCountry.longName : null;
        return (
          <>
            {bookmaker && (
              <Island name="own review" props={{ bookmakerId: bookmaker.id, name: bookmaker.name }}>
                <BookmakerOffer
                  bookmaker={{ ...bookmaker, bulletPoints: points }}
                  terms={cleanHtml(bookmaker.bonusTerms)}
                  reviewRating={facts.rating}
                  notIn={notIn}
                />
              </Island>
            )}
            <Verdict pros={facts.pros} cons={facts.cons} />
          </>
        );
      }}
      data={(page, path) => {
        const bookmaker = bookmakerOf(page.facts.bookmakerId);
        return bookmaker ? reviewData(page, bookmaker, path, env().siteUrl) : articleData(page, path, env().siteUrl);
      }}
    />
  );
}
