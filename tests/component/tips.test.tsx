import { render, screen, within } from '@testing-library/react';
import { LegTable } from '@/components/tips/leg-table';
import { OutcomeBadge } from '@/components/ui/outcome-badge';
import { TipFollowers } from '@/components/tips/tip-followers';
import { TipList } from '@/components/tips/tip-list';
import { TopTipCard } from '@/components/tips/top-tip-card';
import { OddsDisplay } from '@/lib/reference/schema';
import type { TipLegView, TipView, TopTip } from '@/lib/tips/schema';

const leg = (more: Partial<TipLegView> = {}): TipLegView => ({
  bet: 'Rovers to beat Town',
  fixtureReference: 'rovers-v-town-2026-03-07',
  fixtureName: 'Rovers v Town',
  sportReference: 'football',
  leagueName: 'Northern League',
  startsAt: '2026-03-07T15:00:00.000Z',
  marketName: 'Match result',
  selectionName: 'Rovers',
  bookmakerName: 'Bet One',
  price: { oddsThousandths: 2500, fraction: { numerator: 6, denominator: 4 } },
  priceAt: '2026-03-07T10:00:00.000Z',
  priceNow: null,
  bestNow: null,
  closingPrice: null,
  eachWayPlaces: null,
  eachWayFraction: null,
  selectionId: 7,
  finalScore: null,
  outcome: null,
  rule: null,
  score: { status: 'awaiting-result', finalScore: null },
  postponedUntil: null,
  ...more,
});

const tip = (more: Partial<TipView> = {}): TipView => ({
  reference: 'abcdefghjk',
  portfolioReference: 'ann-football',
  portfolioName: 'Ann Football',
  publishedAt: '2026-03-07T10:00:00.000Z',
  firstStartsAt: '2026-03-07T15:00:00.000Z',
  started: false,
  stakeHundredths: 150,
  eachWay: false,
  free: true,
  hidden: false,
  legCount: 1,
  lock: null,
  legs: [leg()],
  totalOddsThousandths: 2500,
  minPrice: null,
  analysis: null,
  settlements: [],
  followers: [],
  ledgerSequence: 1,
  demo: false,
  ...more,
});

const settlement = (outcome: string, profitHundredths: number, version = 1): TipView['settlements'][number] => ({
  ...{ version, outcome, stakedHundredths: 150, profitHundredths, returnHundredths: 150 + profitHundredths },
  ...{ reason: null, actor: null, settledAt: '2026-03-07T18:00:00.000Z', sequence: version + 1 },
});

function list(
  tips: TipView[],
  { byline = false, oddsDisplay = OddsDisplay.decimal as OddsDisplay } = {},
): HTMLElement[] {
  render(<TipList tips={tips} timeZone="Europe/London" oddsDisplay={oddsDisplay} byline={byline} />);
  return within(screen.getByRole('list')).getAllByRole('listitem');
}

describe('a tip in a list', () => {
  it('that is open says what was backed, where, at which price and stake, and leads to the tip', () => {
    const [row] = list([tip()]);
    const link = screen.getByRole('link', { name: 'Rovers, match result' });
    expect(link).toHaveAttribute('href', '/tipster/ann-football/tips/abcdefghjk');
    expect(row).toHaveTextContent('Rovers v Town · Sat 7 Mar 2026, 15:00');
    expect(row).toHaveTextContent('2.50');
    expect(row).toHaveTextContent('1.50 u');
    expect(row).toHaveTextContent(/Open$/);
  });

  it('that has started waits for its result', () => {
    expect(list([tip({ started: true })])[0]).toHaveTextContent(/Awaiting result$/);
  });

  it.each([
    ['won', 225, /Won \+2\.25$/],
    ['lost', -150, /Lost −1\.50$/],
    ['void', 0, /Void 0\.00$/],
  ])('that is settled as %s says so with its profit', (outcome, profit, text) => {
    expect(list([tip({ started: true, settlements: [settlement(outcome, profit)] })])[0]).toHaveTextContent(text);
  });

  it('that was settled anew has what holds now', () => {
    const [row] = list([tip({ settlements: [settlement('lost', -150, 2), settlement('won', 225)] })]);
    expect(row).toHaveTextContent(/Lost −1\.50$/);
    expect(row).not.toHaveTextContent('Won');
  });

  it.each([
    ['members', 'For members until the start'],
    ['hidden', 'Hidden until the start'],
  ] as const)('that is locked for %s says why and how many legs it has, and no price', (lock, words) => {
    const [row] = list([tip({ lock, legs: [], legCount: 2, totalOddsThousandths: null })]);
    expect(screen.getByRole('link', { name: words })).toHaveAttribute('href', '/tipster/ann-football/tips/abcdefghjk');
    expect(row).toHaveTextContent(/2 legs · Sat 7 Mar 2026, 15:00–1\.50 uOpen$/);
  });

  it('that is an accumulator counts its legs, names each fixture and has the odds of all', () => {
    const [row] = list([
      tip({
        legCount: 2,
        legs: [leg(), leg({ fixtureReference: 'city-v-dons-2026-03-08', fixtureName: 'City v Dons' })],
        totalOddsThousandths: 6250,
      }),
    ]);
    expect(screen.getByRole('link', { name: 'Double' })).toBeVisible();
    expect(row).toHaveTextContent('Rovers v Town · City v Dons');
    expect(row).toHaveTextContent('6.25');
  });

  it('has its price in the format that one reads', () => {
    expect(list([tip()], { oddsDisplay: OddsDisplay.fraction })[0]).toHaveTextContent('6/4');
  });

  it('says that its stake counts twice when it is each-way', () => {
    expect(list([tip({ eachWay: true })])[0]).toHaveTextContent('1.50 u each-way');
  });

  it('names its portfolio among tips of several, and not among its own', () => {
    list([tip()], { byline: true });
    expect(screen.getByRole('link', { name: 'Ann Football' })).toHaveAttribute('href', '/tipster/ann-football');
  });

  it('stands in the order given', () => {
    const rows = list([tip({ reference: 'b', legs: [leg({ selectionName: 'Draw' })] }), tip({ reference: 'a' })]);
    expect(rows.map((row) => within(row).getByRole('link').textContent)).toEqual([
      'Draw, match result',
      'Rovers, match result',
    ]);
    expect(screen.queryByRole('link', { name: 'Ann Football' })).not.toBeInTheDocument();
  });
});

describe('the price of a tip now', () => {
  const at = (oddsThousandths: number) => ({ oddsThousandths, fraction: null });
  const best = (oddsThousandths: number) => leg({ bestNow: { price: at(oddsThousandths), bookmakerName: 'Bet Two' } });

  it.each([
    ['Best now 2.30', { legs: [best(2300)] }, 'false'],
    ['Best now 2.30, min. 2.10', { legs: [best(2300)], minPrice: at(2100) }, 'false'],
    ['Price gone: best now 1.95, min. 2.10', { legs: [best(1950)], minPrice: at(2100) }, 'true'],
    ['Price gone: no bookmaker offers it now, min. 2.10', { legs: [leg()], minPrice: at(2100) }, 'true'],
    ['Price gone: best now 3.80, min. 4.00', { legs: [best(1950), best(1950)], minPrice: at(4000) }, 'true'],
  ])('is said as “%s”', (words, more, gone) => {
    const legs = more.legs.map((own, index) => ({ ...own, fixtureReference: `fixture-${index}` }));
    list([tip({ legCount: legs.length, ...more, legs })]);
    const now = document.querySelector('[data-tip-now="abcdefghjk"]');
    expect(now?.textContent).toBe(words);
    expect(now).toHaveAttribute('data-gone', gone);
  });

  it('is not said of a tip that is settled, begun or locked', () => {
    list([
      tip({ legs: [best(2300)], settlements: [settlement('won', 225)] }),
      tip({ reference: 'b', legs: [best(2300)], started: true }),
      tip({ reference: 'c', legs: [], lock: 'hidden' }),
    ]);
    expect(document.querySelector('[data-tip-now]')).toBeNull();
  });
});

describe('the legs of a tip', () => {
  const show = (legs: TipLegView[]) => {
    render(
      <LegTable tip={{ reference: 'abcdefghjk', legs }} timeZone="Europe/London" oddsDisplay={OddsDisplay.decimal} />,
    );
    return within(screen.getByRole('table', { name: 'Legs' }))
      .getAllByRole('row')
      .slice(1);
  };

  it('that are open have the price taken and whose it was, and dashes for what is not known', () => {
    const [row] = show([leg()]);
    const cells = within(row as HTMLElement).getAllByRole('cell');
    expect(cells.map((cell) => cell.textContent)).toEqual(['2.50Bet One', '–', '–', 'Open']);
    // Where the cells are stacked, the head of the table is out of sight.
    expect(cells.map(({ dataset }) => dataset.label)).toEqual(['Taken', 'Best now', 'Closing', undefined]);
    expect(screen.getByRole('link', { name: 'Rovers v Town' })).toHaveAttribute(
      'href',
      '/fixture/rovers-v-town-2026-03-07',
    );
  });

  it('that are settled have the closing price, the score, the outcome and the rule', () => {
    const price = (oddsThousandths: number) => ({ oddsThousandths, fraction: null });
    const [row] = show([
      leg({
        priceNow: null,
        bestNow: null,
        closingPrice: price(2250),
        finalScore: '2–1',
        outcome: 'won',
        rule: 'Match result, home: 2–1 in 90 minutes, won.',
      }),
    ]);
    expect(
      within(row as HTMLElement)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['2.50Bet One', '–', '2.25', 'WonMatch result, home: 2–1 in 90 minutes, won.']);
    expect(screen.getByRole('rowheader')).toHaveTextContent('Rovers v Town 2–1 · Northern League');
  });

  it('that are open have the best price now and who offers it', () => {
    const [row] = show([
      leg({ bestNow: { price: { oddsThousandths: 2300, fraction: null }, bookmakerName: 'Bet Two' } }),
    ]);
    expect(within(row as HTMLElement).getAllByRole('cell')[1]).toHaveTextContent('2.30Bet Two');
  });

  it('that are postponed say so, and until when they wait', () => {
    const rule = 'Postponed: the stake is returned unless it is started within 48 hours of the announced start.';
    const [row] = show([leg({ rule, postponedUntil: '2026-03-09T15:00:00.000Z' })]);
    expect(within(row as HTMLElement).getAllByRole('cell')[3]).toHaveTextContent(
      /^PostponedVoid unless it starts by .*9 Mar.*15:00.*Postponed: the stake/,
    );
  });

  it('that are each-way have their terms', () => {
    show([leg({ eachWayPlaces: 3, eachWayFraction: '1/5' })]);
    expect(screen.getByText(/3 places at 1\/5$/)).toHaveTextContent('Each-way, 3 places at 1/5');
  });

  it('stand one a row, in the order of the tip', () => {
    const rows = show([
      leg(),
      leg({ fixtureReference: 'city-v-dons-2026-03-08', selectionName: 'Draw', outcome: 'lost' }),
    ]);
    expect(rows.map((row) => within(row).getByRole('rowheader').textContent?.slice(0, 4))).toEqual(['Rove', 'Draw']);
  });
});

describe('an outcome', () => {
  it.each([
    ['won', 'Won'],
    ['half-won', 'Half won'],
    ['placed', 'Placed'],
    ['void', 'Void'],
    ['half-lost', 'Half lost'],
    ['lost', 'Lost'],
  ])('%s is said in a word', (outcome, text) => {
    render(<OutcomeBadge outcome={outcome} />);
    expect(screen.getByText(text)).toBeVisible();
  });
});

describe('a tip of today', () => {
  const year = { tips: 60, advised: { yieldPercent: { value: 4.2 } } } as unknown as TopTip['year'];
  const card = (top: TipView) => {
    render(<TopTipCard top={{ tip: top, year }} timeZone="Europe/London" oddsDisplay={OddsDisplay.decimal} />);
    return screen.getByRole('article');
  };

  it('that is an accumulator says its first legs as bets and how many more there are', () => {
    const bets = [
      'Not both teams to score, City v Dons',
      'Rovers to beat Town',
      'Under 2.5, Reds v Blues',
      'Draw, Whites v Greens',
    ];
    const article = card(tip({ legCount: 4, legs: bets.map((bet) => leg({ bet })), totalOddsThousandths: 39_060 }));
    expect(article).toHaveTextContent('4-fold');
    expect(article).toHaveTextContent('Not both teams to score, City v Dons · Rovers to beat Town and 2 more');
  });

  it('that is a double says both of its legs', () => {
    expect(card(tip({ legCount: 2, legs: [leg(), leg({ bet: 'Draw, City v Dons' })] }))).toHaveTextContent(
      'Rovers to beat Town · Draw, City v Dons',
    );
  });
});

describe('what followers had of a tip', () => {
  const at = '2026-03-07T10:05:00.000Z';
  const show = (oddsDisplay: OddsDisplay = OddsDisplay.decimal) => {
    render(
      <TipFollowers
        timeZone="Europe/London"
        oddsDisplay={oddsDisplay}
        followers={[
          { moment: 'after5', at, totalOddsThousandths: 2500, stillThere: true, profitHundredths: 225 },
          {
            moment: 'after15',
            at: '2026-03-07T10:15:00.000Z',
            totalOddsThousandths: 2400,
            stillThere: false,
            profitHundredths: 210,
          },
          {
            moment: 'after60',
            at: '2026-03-07T11:00:00.000Z',
            totalOddsThousandths: null,
            stillThere: null,
            profitHundredths: null,
          },
          { moment: 'close', at: null, totalOddsThousandths: 1800, stillThere: false, profitHundredths: -150 },
        ]}
      />,
    );
    return within(screen.getByRole('table', { name: 'What followers had of this tip' }))
      .getAllByRole('row')
      .map((row) => [...row.children].map((cell) => cell.textContent));
  };

  it('is the best price at each moment with its time, whether the price was still there, and the profit', () => {
    expect(show()).toEqual([
      ['Bet placed', 'Best price', 'Price still there', 'Profit'],
      ['5 minutes laterSat 7 Mar 2026, 10:05', '2.50', 'Yes', '+2.25'],
      ['15 minutes laterSat 7 Mar 2026, 10:15', '2.40', 'No, shorter', '+2.10'],
      ['1 hour laterSat 7 Mar 2026, 11:00', 'None', '–', '–'],
      ['At the close', '1.80', 'No, shorter', '−1.50'],
    ]);
  });

  it('is in the odds format of the page', () => {
    // A product of prices stays decimal for readers of fractions.
    expect(show(OddsDisplay.fraction)[1]?.[1]).toBe('2.50');
  });
});
