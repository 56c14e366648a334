import { render, screen, within } from '@testing-library/react';
import { BookmakerOffer } from '@/components/content/bookmaker-offer';
import { ContactAddress } from '@/components/content/contact-address';
import { ContentArticle } from '@/components/content/content-article';
import { ContentCard } from '@/components/content/content-card';
import { ContentWays } from '@/components/content/content-ways';
import { DayTip } from '@/components/content/day-tip';
import { Glossary } from '@/components/content/glossary';
import { JsonLd } from '@/components/content/json-ld';
import { Rating } from '@/components/content/rating';
import { Verdict } from '@/components/content/verdict';
import { cleanHtml, renderArticle } from '@/lib/content/rules';
import type { ContentSource, ContentSummary } from '@/lib/content/schema';
import { bundledBookmakers, OddsDisplay } from '@/lib/reference/schema';
import type { TopTip } from '@/lib/tips/schema';

const guide = (more: Partial<ContentSource<'betting-guides'>> = {}): ContentSource<'betting-guides'> => ({
  kind: 'betting-guides',
  reference: 'how-odds-work',
  title: 'How odds work',
  summary: 'What a price says and what it pays.',
  publishedOn: '2026-03-01',
  updatedOn: null,
  demo: false,
  facts: {},
  body: '## Prices\n\nWords.\n\n## Chances\n\nWords.\n\n## Returns\n\nWords.',
  ...more,
});

const term = (name: string, reference: string): ContentSummary<'betting-terms'> => ({
  ...guide(),
  kind: 'betting-terms',
  reference,
  facts: { term: name, seeAlso: [] },
});

const bookmaker = (reference: string) => {
  const found = bundledBookmakers.find((one) => one.reference === reference);
  if (!found) throw new Error(`There is no bookmaker ${reference}.`);
  return found;
};

const article = (page = guide()) =>
  render(<ContentArticle page={page} text={renderArticle(page.body)} trail={[{ href: '/', title: 'Home' }]} />);

describe('a page to read', () => {
  test('has its title, its sentence, its day wherever one reads it, and a table of contents that leads to its parts', () => {
    const { container } = article();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('How odds work');
    expect(screen.getByText('What a price says and what it pays.')).toBeVisible();
    expect(screen.getByText('Sun 1 Mar 2026')).toHaveAttribute('dateTime', '2026-03-01');
    const links = within(screen.getByRole('navigation', { name: 'On this page' })).getAllByRole('link');
    expect(links.map((link) => container.querySelector(link.getAttribute('href') ?? '')?.textContent)).toEqual([
      'Prices',
      'Chances',
      'Returns',
    ]);
  });

  test('has none when it is short, and says what is demo data and when it changed', () => {
    article(guide({ body: '## One\n\nWords.', demo: true, updatedOn: '2026-03-04' }));
    expect(screen.queryByRole('navigation', { name: 'On this page' })).toBeNull();
    expect(screen.getByText('Demo data')).toBeVisible();
    expect(screen.getByText('Wed 4 Mar 2026')).toBeVisible();
  });
});

test('a card leads to its page, with its day only where days matter', () => {
  const { rerender } = render(<ContentCard page={guide()} />);
  expect(within(screen.getByRole('heading', { level: 2 })).getByRole('link')).toHaveAttribute(
    'href',
    '/betting-guides/how-odds-work',
  );
  expect(screen.queryByText('Sun 1 Mar 2026')).toBeNull();
  rerender(<ContentCard page={guide({ demo: true })} level={3} dated />);
  expect(screen.getByRole('heading', { level: 3 })).toBeVisible();
  expect(screen.getByText('Sun 1 Mar 2026')).toBeVisible();
  expect(screen.getByText('Demo data')).toBeVisible();
});

test('the ways on name the section of a page from elsewhere', () => {
  render(
    <ContentWays
      page={{
        kind: 'betting-guides',
        previous: null,
        next: { kind: 'betting-guides', reference: 'staking', title: 'Staking' },
        related: [
          { kind: 'betting-terms', reference: 'odds', title: 'Odds' },
          { kind: 'betting-guides', reference: 'records', title: 'Records' },
        ],
      }}
    />,
  );
  const next = within(screen.getByRole('navigation', { name: 'Betting guides' })).getByRole('link');
  expect(next).toHaveAttribute('href', '/betting-guides/staking');
  expect(next).toHaveAccessibleName('Next Staking');
  expect(
    within(screen.getByRole('region', { name: 'Read on' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['OddsBetting terms', 'Records']);
});

test('a glossary has a letter for each that some term begins with, accents and figures included', () => {
  render(
    <Glossary
      terms={[term('1X2', 'one-x-two'), term('Élan', 'elan'), term('each-way', 'each-way'), term('Void', 'void')]}
    />,
  );
  const letters = within(screen.getByRole('navigation', { name: 'Letters' })).getAllByRole('link');
  expect(letters.map(({ textContent }) => textContent)).toEqual(['0–9', 'E', 'V']);
  expect(
    within(screen.getByRole('region', { name: 'E' }))
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Élan', 'each-way']);
});

test.each([
  [0, 0],
  [3.5, 4],
  [5, 5],
])('a rating of %d is said in figures and fills %d stars or parts of one', (rating, filled) => {
  const { container } = render(<Rating rating={rating} />);
  expect(screen.getByText(`${rating} of 5`)).toBeVisible();
  expect(container.querySelectorAll('path')).toHaveLength(5 + filled);
});

test('a verdict leaves out a side that has nothing', () => {
  render(<Verdict pros={['Low margins']} cons={[]} />);
  expect(screen.getByRole('region', { name: 'For' })).toHaveTextContent('Low margins');
  expect(screen.queryByRole('region', { name: 'Against' })).toBeNull();
});

describe('a bookmaker’s offer', () => {
  const offer = (reference: string, notIn: string | null = null) => {
    const firm = bookmaker(reference);
    return render(
      <BookmakerOffer bookmaker={firm} terms={cleanHtml(firm.bonusTerms)} reviewRating={4} notIn={notIn} />,
    );
  };

  test('stands with its terms, and its link is disclosed and marked as paid for', () => {
    offer('penhallow-sports');
    expect(screen.getByText('Bet £10, get £20 in free bets')).toBeVisible();
    expect(screen.getByText('Free bet stakes are not returned.')).toBeVisible();
    const link = screen.getByRole('link', { name: 'penhallow-sports.example' });
    expect(link.getAttribute('rel')?.split(' ').toSorted()).toEqual(['nofollow', 'noopener', 'sponsored']);
    expect(link.closest('p')).toHaveTextContent(/affiliate link.*may be paid.*Demo data: the firm is fictional.*18\+/);
    expect(screen.getByText('8.7 of 10')).toBeVisible();
    expect(screen.getByText('4 of 5')).toBeVisible();
  });

  test('is neither named nor linked to where the bookmaker may not be shown', () => {
    offer('fenwold', 'the United Kingdom');
    expect(screen.queryByRole('link')).toBeNull();
    expect(screen.queryByText(/bonus bets/)).toBeNull();
    expect(screen.getByText(/is not shown in the United Kingdom/)).toBeVisible();
  });

  test('is absent where there is none', () => {
    offer('quillgate');
    expect(screen.queryByText('Terms of this offer')).toBeNull();
    expect(screen.getByRole('link')).toBeVisible();
  });
});

test('the tip of the day shows the price taken, the reasoning, the tipster’s year and the way into the record', () => {
  const leg = {
    fixtureReference: 'rovers-v-town-2026-03-07',
    fixtureName: 'Rovers v Town',
    marketName: 'Match result',
    selectionName: 'Rovers',
    bookmakerName: 'Bet One',
    price: { oddsThousandths: 2500, fraction: null },
  };
  const tip = {
    reference: 'abcdefghjk',
    portfolioReference: 'ann-football',
    portfolioName: 'Ann Football',
    publishedAt: '2026-03-07T10:00:00.000Z',
    firstStartsAt: '2026-03-07T15:00:00.000Z',
    stakeHundredths: 150,
    eachWay: false,
    legCount: 1,
    legs: [leg],
    analysis: 'First.\n\nSecond.',
    ledgerSequence: 12,
    demo: true,
  };
  const top = { tip, year: { tips: 60, advised: { yieldPercent: { value: 4.2 } } } } as unknown as TopTip;
  render(<DayTip top={top} timeZone="UTC" timeZoneName="UTC" oddsDisplay={OddsDisplay.decimal} />);
  expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('Rovers');
  for (const said of [
    '2.50',
    'Bet One',
    '1.50 u',
    '+4.2%',
    'past 12 months, advised stakes, 60 tips',
    'Sat 7 Mar 2026, 15:00',
    'First.',
    'Second.',
    'Demo data',
  ])
    expect(screen.getByText(said)).toBeVisible();
  expect(screen.getByRole('link', { name: 'The whole tip' })).toHaveAttribute(
    'href',
    '/tipster/ann-football/tips/abcdefghjk',
  );
  expect(screen.getByRole('link', { name: 'Entry 12 of the record' })).toHaveAttribute(
    'href',
    '/ledger?tip=abcdefghjk',
  );
});

test('the address to write to is a link, or is said to be missing', () => {
  const { rerender } = render(<ContactAddress email="desk@tipledger.example" />);
  expect(screen.getByRole('link')).toHaveAttribute('href', 'mailto:desk@tipledger.example');
  rerender(<ContactAddress email={null} />);
  expect(screen.getByText(/has not given an e-mail address/)).toBeVisible();
});

test('structured data is one block that nothing in it can end', () => {
  const { container } = render(
    <JsonLd data={[{ '@context': 'https://schema.org', '@type': 'Article', headline: '</script><b>' }]} />,
  );
  const [script] = container.querySelectorAll('script[type="application/ld+json"]');
  expect(container.querySelector('b')).toBeNull();
  expect(JSON.parse(script?.textContent ?? '')).toMatchObject([{ headline: '</script><b>' }]);
});
