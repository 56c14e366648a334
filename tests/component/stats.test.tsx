import { render, screen, within } from '@testing-library/react';
import { Balance } from '@/components/stats/balance';
import { BreakdownTable } from '@/components/stats/breakdown-table';
import { FollowerTable } from '@/components/stats/follower-table';
import { FormLetters } from '@/components/stats/form-letters';
import { Judgement } from '@/components/stats/judgement';
import { MonthTable } from '@/components/stats/month-table';
import { ProfitChart } from '@/components/stats/profit-chart';
import { SummaryStats } from '@/components/stats/summary-stats';
import type { CurvePoint } from '@/lib/stats/schema';
import { bucket, figure, followerView, statisticsView, summaryView } from '../support/stat-views';

const cells = (row: Element) => [...row.children].map((cell) => cell.textContent);

/** A statistic by its label: its figure and the note under it. */
function stat(label: string): (string | null)[] {
  const group = screen.getAllByRole('term').find(({ textContent }) => textContent === label)?.parentElement;
  return within(group as HTMLElement)
    .getAllByRole('definition')
    .map(({ textContent }) => textContent);
}

describe('the figures of a record', () => {
  it('stand with their signs, each percentage with its count', () => {
    render(
      <SummaryStats
        statistics={statisticsView(
          { tips: 50, won: 22, profitHundredths: 1250 },
          { clvPercent: figure(2.345, 40), noVigClvPercent: figure(-1.2, 38) },
        )}
      />,
    );
    expect(stat('Profit, advised stakes')).toEqual(['+12.50', '50.00 units staked']);
    expect(stat('Yield')).toEqual(['+25.0%', '50 tips']);
    expect(stat('Strike rate')).toEqual(['44.0%', '22 of 50 tips']);
    expect(stat('Average odds')).toEqual(['2.50', '50 tips']);
    expect(stat('Max drawdown')).toEqual(['3.50', 'longest losing run: 4 tips']);
    expect(stat('Closing line value')).toEqual(['+2.3%', '40 tips']);
    expect(stat('No-vig CLV')).toEqual(['−1.2%', '38 tips']);
    expect(stat('Average stake')).toEqual(['1.00', '50 tips']);
    expect(stat('Profitable months')).toEqual(['1 of 2', 'advised stakes']);
  });

  it('round a mean stake to hundredths of a unit', () => {
    const view = statisticsView({ tips: 39, won: 20, profitHundredths: 1250 });
    const advised = { ...view.advised, averageStakeHundredths: figure(94.8718, 39) };
    render(<SummaryStats statistics={{ ...view, advised }} />);
    expect(stat('Average stake')).toEqual(['0.95', '39 tips']);
  });

  it('of a loss have a true minus, and a dash where nothing is known', () => {
    render(<SummaryStats statistics={statisticsView({ tips: 1, won: 0, profitHundredths: -100 })} />);
    expect(stat('Profit, level stakes')).toEqual(['−1.00', 'yield −100.0% from 1 tip']);
    expect(stat('Closing line value')).toEqual(['–', 'no closing prices']);
    expect(stat('No-vig CLV')).toEqual(['–', 'no closing prices']);
  });

  it('of no tips claim nothing', () => {
    render(<SummaryStats statistics={statisticsView({ tips: 0, won: 0, profitHundredths: 0 })} />);
    expect(['Yield', 'Strike rate', 'Average odds'].map((label) => stat(label)[0])).toEqual(['–', '–', '–']);
    expect(stat('Profit, advised stakes')[0]).toBe('0.00');
  });
});

describe('the balance of a record', () => {
  const show = (profitHundredths: number) =>
    render(<Balance statistics={statisticsView({ tips: 50, won: 22, profitHundredths })} timeZone="Europe/London" />);

  it('says what was staked, what was returned and what was won, over which tips and time', () => {
    const { container } = show(1250);
    expect(stat('Staked')).toEqual(['50.00']);
    expect(stat('Returned')).toEqual(['62.50']);
    expect(stat('Won')).toEqual(['+12.50']);
    expect(container).toHaveTextContent('Yield +25.0% from 50 tips, advised stakes');
    expect(container).toHaveTextContent('Mon 5 Jan 2026 to Sun 1 Mar 2026');
  });

  it('calls a loss lost', () => {
    show(-1250);
    expect(stat('Returned')).toEqual(['37.50']);
    expect(stat('Lost')).toEqual(['−12.50']);
    expect(screen.queryByText('Won')).not.toBeInTheDocument();
  });

  it('leaves to the figures beside it what it does not say', () => {
    render(<SummaryStats statistics={statisticsView({ tips: 50, won: 22, profitHundredths: 1250 })} besideBalance />);
    for (const label of ['Profit, advised stakes', 'Average stake', 'Profitable months'])
      expect(screen.queryByText(label)).not.toBeInTheDocument();
    expect(stat('No-vig CLV')).toHaveLength(2);
    expect(stat('Strike rate')).toEqual(['44.0%', '22 of 50 tips']);
  });
});

describe('the last settled tips', () => {
  it('are told one by one, the oldest first, in words to those who do not see them', () => {
    render(<FormLetters letters="WLV" />);
    expect(screen.getByText(/^Last 3 settled/)).toBeVisible();
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Wprofit',
      'Lloss',
      'Vstake back',
    ]);
  });
});

describe('the judgement of a record', () => {
  const judged = (tips: number, luck: number | null) => {
    const statistics = statisticsView({ tips, won: 1, profitHundredths: 100 });
    const { container } = render(
      <Judgement
        statistics={{
          ...statistics,
          advised: { ...statistics.advised, luckProbability: luck === null ? null : figure(luck, tips) },
        }}
      />,
    );
    return container.textContent;
  };

  it('says of fewer than 45 tips that they are too few to judge', () => {
    expect(judged(44, null)).toMatch(/^Too few to judge/);
  });

  it('says of enough how often luck would do as well', () => {
    expect(judged(45, 0.125)).toBe(
      ' Luck alone, at fair odds, would do at least as well 12.5% of the time over 45 tips.',
    );
  });

  it('says of what is very rare only that it is', () => {
    expect(judged(500, 0.0004)).toMatch(/at least as well less than one time in a thousand over 500 tips\.$/);
  });

  it('says nothing of no tips', () => {
    expect(judged(0, null)).toBe('');
  });
});

describe('the profit chart', () => {
  const curve = (length: number): CurvePoint[] =>
    Array.from({ length }, (_, index) => ({
      tips: index + 1,
      at: '2026-02-01T12:00:00.000Z',
      profitHundredths: 10 * index - 50,
    }));
  const show = (points: CurvePoint[]) => render(<ProfitChart points={points} timeZone="Europe/London" />);

  it('says in words what it draws', () => {
    show(curve(4));
    expect(screen.getByRole('img')).toHaveAccessibleName(
      'Profit over 4 tips, from Sun 1 Feb 2026 to Sun 1 Feb 2026: −0.20 units',
    );
  });

  it('has its table, with every point of a short curve', () => {
    show(curve(3));
    const rows = within(screen.getByRole('table', { name: 'Cumulative profit in units', hidden: true })).getAllByRole(
      'row',
      { hidden: true },
    );
    expect(rows.map(cells)).toEqual([
      ['Tips', 'Settled', 'Profit, units'],
      ['1', 'Sun 1 Feb 2026', '−0.50'],
      ['2', 'Sun 1 Feb 2026', '−0.40'],
      ['3', 'Sun 1 Feb 2026', '−0.30'],
    ]);
    expect(screen.getByText('The curve as a table').tagName).toBe('SUMMARY');
  });

  it('has of a long curve some points, the last among them', () => {
    show(curve(1_000));
    const rows = within(screen.getByRole('table', { hidden: true })).getAllByRole('row', { hidden: true });
    expect(rows.length).toBeLessThan(50);
    expect(cells(rows.at(-1) as Element)[0]).toBe('1000');
  });

  it('is drawn inside its frame', () => {
    const { container } = show([...curve(20), { tips: 21, at: '2026-02-02T12:00:00.000Z', profitHundredths: -90_000 }]);
    const drawn = [
      ...(container.querySelector('path')?.getAttribute('d') ?? '').matchAll(/(-?[\d.]+),(-?[\d.]+)/g),
    ].map(([, x, y]) => [Number(x), Number(y)] as const);
    expect(drawn).toHaveLength(21);
    for (const [x, y] of drawn) {
      expect(x >= 0 && x <= 720).toBe(true);
      expect(y >= 0 && y <= 240).toBe(true);
    }
  });

  it.each([0, 1])('is left out with %d points, which draw no line', (length) => {
    expect(show(curve(length)).container).toBeEmptyDOMElement();
  });
});

describe('the table of months', () => {
  it('has a year a row, a dash for a month without tips, and the year’s yield with its count', () => {
    const months = Array.from({ length: 12 }, (_, index) =>
      index === 1
        ? bucket('February 2026', { tips: 4, won: 3, profitHundredths: 250 })
        : index === 2
          ? bucket('March 2026', { tips: 1, won: 0, profitHundredths: -100 })
          : null,
    );
    render(
      <MonthTable
        overview={{
          window: null,
          years: [{ year: 2026, months, total: summaryView({ tips: 5, won: 3, profitHundredths: 150 }) }],
        }}
      />,
    );
    const [head, row] = within(screen.getByRole('table', { name: 'Profit by month, in units' })).getAllByRole('row');
    expect(cells(head as Element).slice(0, 4)).toEqual(['Year', 'Jan', 'Feb', 'Mar']);
    expect(cells(row as Element)).toEqual([
      '2026',
      '–',
      '+2.50',
      '−1.00',
      ...Array.from({ length: 9 }, () => '–'),
      '+1.50',
      '+30.0% of 5',
    ]);
  });
});

describe('a breakdown', () => {
  it('has a row for each bucket with tips, void ones too, and none for the others', () => {
    const returned = { ...bucket('Golf', { tips: 0, won: 0, profitHundredths: 0 }), voids: 2 };
    const rows = [
      bucket('Football', { tips: 10, won: 4, profitHundredths: -150 }),
      bucket('Tennis', { tips: 0, won: 0, profitHundredths: 0 }),
      returned,
    ];
    render(<BreakdownTable title="Sport" breakdown={{ kind: 'sport', window: null, rows }} />);
    expect(
      within(screen.getByRole('table', { name: 'Sport' }))
        .getAllByRole('row')
        .map(cells),
    ).toEqual([
      ['Sport', 'Tips', 'Won', 'Staked, units', 'Profit, units', 'Yield'],
      ['Football', '10', '4', '10.00', '−1.50', '−15.0%'],
      ['Golf', '0', '0', '0.00', '0.00', '–'],
    ]);
    expect(screen.getByRole('rowheader', { name: 'Football' })).toBeVisible();
  });
});

describe('what followers had', () => {
  const none = followerView({ tips: 0, stillThere: 0, profitHundredths: 0, ownProfitHundredths: 0 });
  const some = followerView({ tips: 40, stillThere: 10, profitHundredths: -250, ownProfitHundredths: 1200 });

  it('is told by moment, with its tips, beside the tipster’s own on the same tips', () => {
    render(
      <FollowerTable
        followers={{
          after5: followerView({ tips: 50, stillThere: 45, profitHundredths: 900, ownProfitHundredths: 1250 }),
          after15: some,
          after60: none,
          close: some,
        }}
      />,
    );
    const rows = within(screen.getByRole('table', { name: 'At followers’ prices, in units at advised stakes' }))
      .getAllByRole('row')
      .map(cells);
    expect(rows).toEqual([
      ['Bet placed', 'Price still there', 'Followers', 'Tipster, same tips'],
      ['5 minutes later', '90.0%45 of 50 tips', '+9.00+18.0% yield', '+12.50+25.0% yield'],
      ['15 minutes later', '25.0%10 of 40 tips', '−2.50−6.3% yield', '+12.00+30.0% yield'],
      ['1 hour later', '–0 of 0 tips', '–', '–'],
      ['At the close', '25.0%10 of 40 tips', '−2.50−6.3% yield', '+12.00+30.0% yield'],
    ]);
    expect(screen.getByRole('link', { name: 'How followers’ prices are counted' })).toHaveAttribute(
      'href',
      '/betting-terms/followers-prices',
    );
  });

  it('is no table where no tip had a price afterwards', () => {
    render(<FollowerTable followers={{ after5: none, after15: none, after60: none, close: none }} />);
    expect(screen.queryByRole('table')).not.toBeInTheDocument();
    expect(
      screen.getByText('No tip settled in this period had a price on offer after it was published.'),
    ).toBeVisible();
  });
});
