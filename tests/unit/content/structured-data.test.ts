import { articleData, breadcrumbData, reviewData, writeStructuredData } from '@/lib/content/rules';
import type { ContentSource } from '@/lib/content/schema';

const site = 'https://tipledger.example';
const review: ContentSource<'bookmaker-reviews'> = {
  kind: 'bookmaker-reviews',
  reference: 'quillgate',
  title: 'Quillgate reviewed',
  summary: 'What speaks for and against it.',
  publishedOn: '2026-03-01',
  updatedOn: '2026-03-04',
  demo: true,
  facts: { bookmakerId: 15, rating: 4.5, pros: ['Low margins'], cons: ['No bonus'] },
  body: 'Words.',
};

test('a breadcrumb names its places in order with whole addresses', () => {
  expect(
    breadcrumbData(
      [
        { href: '/', title: 'Home' },
        { href: '/articles', title: 'Articles' },
      ],
      site,
    ),
  ).toMatchObject({
    '@type': 'BreadcrumbList',
    itemListElement: [
      { position: 1, name: 'Home', item: `${site}/` },
      { position: 2, name: 'Articles', item: `${site}/articles` },
    ],
  });
});

test('an article says when it was published and changed', () => {
  expect(articleData(review, '/articles/x', site)).toMatchObject({
    '@type': 'Article',
    datePublished: '2026-03-01',
    dateModified: '2026-03-04',
    mainEntityOfPage: `${site}/articles/x`,
  });
  expect(articleData({ ...review, updatedOn: null }, '/articles/x', site)).toMatchObject({
    dateModified: '2026-03-01',
  });
});

test('a review has its rating of 5, and none where nothing was rated', () => {
  const bookmaker = { name: 'Quillgate', description: 'A fictional firm.' };
  expect(reviewData(review, bookmaker, '/r', site)).toMatchObject({
    '@type': 'Review',
    itemReviewed: { name: 'Quillgate' },
    reviewRating: { ratingValue: 4.5, bestRating: 5 },
  });
  expect(reviewData({ ...review, facts: { ...review.facts, rating: null } }, bookmaker, '/r', site)).not.toHaveProperty(
    'reviewRating',
  );
});

test('nothing that a title says ends the element or starts another, and it stays what it was', () => {
  const data = breadcrumbData([{ href: '/', title: '</script><script>x()</script><!-- & \u2028' }], site);
  const written = writeStructuredData([data]);
  expect(written).not.toMatch(/[<>&\u2028]/);
  expect(JSON.parse(written)).toEqual([data]);
});
