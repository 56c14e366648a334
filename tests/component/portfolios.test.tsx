import { fireEvent, render, screen, within } from '@testing-library/react';
import { ComparisonForm } from '@/components/portfolios/comparison-form';
import { DiscoverTable } from '@/components/portfolios/discover-table';
import { PeriodTabs } from '@/components/portfolios/period-tabs';
import { PortfolioHead } from '@/components/portfolios/portfolio-head';
import type { PortfolioView } from '@/lib/portfolios/schema';
import { PortfolioVisibility, TimeRange } from '@/lib/reference/schema';
import { readComparisonFilter } from '@/lib/stats/rules';
import {
  type ComparedPortfolio,
  type ComparisonFilter,
  comparisonFilterSchema,
  ComparisonOrder,
  defaultComparisonFilter,
  Direction,
} from '@/lib/stats/schema';
import { figure, followerView, stakes, statisticsView } from '../support/stat-views';

const compared = (more: Partial<ComparedPortfolio> = {}): ComparedPortfolio => ({
  ...{
    id: 1,
    reference: 'ann-football',
    type: PortfolioVisibility.public,
    name: 'Ann Football',
    owner: 'ann',
    tipledgerPro: false,
    price: null,
    demo: false,
  },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', followers: 12, picture: null },
  ...{
    curve: [0, 300, 1250],
    form: 'WLVWWLW',
    speciality: { kind: 'league' as const, label: 'Premier League', tips: 40, of: 50 },
  },
  statistics: statisticsView(
    { tips: 50, won: 22, profitHundredths: 1250 },
    {
      clvPercent: figure(-1.26, 48),
      followers: {
        ...statisticsView({ tips: 0, won: 0, profitHundredths: 0 }).followers,
        after15: followerView({ tips: 25, stillThere: 10, profitHundredths: -100, ownProfitHundredths: 300 }),
      },
    },
  ),
  ...more,
});

describe('the table of portfolios compared', () => {
  const hrefOf = (order: number, direction: number) => `/tipster?order=${order}&direction=${direction}`;
  const show = (portfolios: ComparedPortfolio[], plan: 'advised' | 'level' = 'advised') => {
    const order = { order: ComparisonOrder.profit, direction: Direction.bestFirst, hrefOf };
    render(
      <DiscoverTable caption="Portfolios compared" portfolios={portfolios} plan={plan} order={order} form="compare" />,
    );
    const rows = within(screen.getByRole('table', { name: 'Portfolios compared' })).getAllByRole('row');
    return rows.map((row) => [...row.children].map((cell) => cell.textContent?.trim()));
  };

  it('has a row for each, in the order given, with the figures under their heads', () => {
    const rows = show([compared(), compared({ reference: 'bob', name: 'Bob', owner: 'bob' })]);
    expect(rows[0]).toEqual([
      'Tipster',
      'Form',
      'Tips',
      'Profit, units',
      'Yield',
      'Strike rate',
      'Average odds',
      'Max drawdown, units',
      'CLV',
      'Yield 15 min later',
      'Price still there',
      'Followers',
      'Price a month, from',
      'Follow',
    ]);
    expect(rows[1]).toEqual([
      'Compare Ann FootballAnn FootballPremier League: 40 of 50 tips',
      'LlossVstake backWprofitWprofitLlossWprofit',
      '50',
      '+12.50',
      '+25.0%',
      '44.0%',
      '2.50',
      '3.50',
      '−1.3% 48 tips',
      '−4.0% 25 tips',
      '40.0% 25 tips',
      '12',
      '–',
      'Follow',
    ]);
    expect(screen.getAllByRole('rowheader').map((head) => within(head).getByRole('link').getAttribute('href'))).toEqual(
      ['/tipster/ann-football', '/tipster/bob'],
    );
  });

  it('says over how many tips a percentage is only where these are fewer than the row counts', () => {
    const statistics = statisticsView({ tips: 50, won: 22, profitHundredths: 1250 });
    const after15 = followerView({ tips: 50, stillThere: 10, profitHundredths: -100, ownProfitHundredths: 300 });
    const clvPercent = { value: -1.3, count: 49, from: '2026-01-01T12:00:00.000Z', until: '2026-03-01T12:00:00.000Z' };
    show([compared({ statistics: { ...statistics, clvPercent, followers: { ...statistics.followers, after15 } } })]);
    const notes = screen.getAllByRole('cell').flatMap(({ textContent }) => /\d+ tips?$/.exec(textContent ?? '') ?? []);
    expect(notes).toEqual(['49 tips']);
  });

  it('orders by every head, and the other way round by the one that it is ordered by', () => {
    show([compared()]);
    const head = (name: string) => screen.getByRole('columnheader', { name });
    const href = (name: string) => within(head(name)).getByRole('link').getAttribute('href');
    expect(head('Profit, units')).toHaveAttribute('aria-sort', 'descending');
    expect(head('Yield')).not.toHaveAttribute('aria-sort');
    expect(['Tipster', 'Profit, units', 'Yield', 'Max drawdown, units'].map(href)).toEqual([
      '/tipster?order=11&direction=0',
      '/tipster?order=0&direction=1',
      '/tipster?order=1&direction=0',
      '/tipster?order=5&direction=0',
    ]);
  });

  it('has a tick for each that belongs to the form beside it, and its curve and last results in words', () => {
    show([compared()]);
    const tick = screen.getByRole('checkbox', { name: 'Compare Ann Football' });
    expect([tick.getAttribute('name'), tick.getAttribute('value'), tick.getAttribute('form')]).toEqual([
      'with',
      'ann-football',
      'compare',
    ]);
    expect(screen.getByRole('img', { name: 'Profit curve, to +12.50 units' })).toBeVisible();
    expect(screen.getByRole('list', { name: 'Last 6 results, oldest first' }).children).toHaveLength(6);
  });

  it('computes at the stakes that were asked for', () => {
    const { statistics } = compared();
    const [, row] = show(
      [compared({ statistics: { ...statistics, level: { ...statistics.level, ...stakes(-200, 5000, 50) } } })],
      'level',
    );
    expect(row?.slice(3, 5)).toEqual(['−2.00', '−4.0%']);
  });

  it('says of too few tips that they are, and of demo data that it is', () => {
    show([compared({ demo: true, statistics: statisticsView({ tips: 44, won: 20, profitHundredths: 100 }) })]);
    expect(screen.getByText('Too few to judge')).toBeVisible();
    expect(screen.getByText('Demo data')).toBeVisible();
  });

  it('says neither where it is not so, and has a dash for what is not known', () => {
    const [, row] = show([compared({ statistics: { ...compared().statistics, clvPercent: null } })]);
    expect(row?.[8]).toBe('–');
  });

  it('has a dash for followers where no tip counts', () => {
    const [, row] = show([compared({ statistics: statisticsView({ tips: 50, won: 22, profitHundredths: 1250 }) })]);
    expect(row?.slice(9, 11)).toEqual(['–', '–']);
  });

  it('says nothing of demo data and few tips where it is not so', () => {
    show([compared()]);
    expect(screen.queryByText(/Too few|Demo/)).not.toBeInTheDocument();
  });
});

describe('the comparison filter', () => {
  const sports = [
    { id: 1, name: 'Football' },
    { id: 2, name: 'Horse racing' },
  ];
  const show = (filter: ComparisonFilter = defaultComparisonFilter) => {
    const { container } = render(<ComparisonForm filter={filter} sports={sports} />);
    return container.querySelector('form') as HTMLFormElement;
  };
  const sent = (form: HTMLFormElement) =>
    Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

  it('is a form that sends its fields as the address of the page, without script', () => {
    const form = show();
    expect(form).toHaveAttribute('action', '/tipster');
    expect(form).toHaveAttribute('method', 'get');
    expect(screen.getByRole('button', { name: 'Show' })).toHaveAttribute('type', 'submit');
  });

  it.each([
    ['the default', defaultComparisonFilter],
    [
      'another',
      {
        ...comparisonFilterSchema.parse({
          sportId: '2',
          portfolioType: '0',
          period: '6',
          tips: '1',
          order: '5',
          filterType: '1',
          minOdds: '1.5',
          maxOdds: '4.25',
          profit: '10',
          roi: '2.5',
          followerRoi: '1.25',
          stillThere: '40',
        }),
      },
    ],
  ])('sends what the page reads back as the same filter: %s', (_, filter) => {
    expect(readComparisonFilter(sent(show(filter)))).toEqual(filter);
  });

  it('shows by its labels what is asked for, and sends what is chosen', () => {
    const form = show();
    const choose = (label: RegExp, title: string) => {
      const select = screen.getByRole('combobox', { name: label });
      fireEvent.change(select, {
        target: { value: within(select).getByRole<HTMLOptionElement>('option', { name: title }).value },
      });
    };
    expect(screen.getByRole('combobox', { name: /^Sport/ })).toHaveDisplayValue('Football');
    expect(screen.getByRole('combobox', { name: /^Period/ })).toHaveDisplayValue('Past 3 months');
    expect(screen.getByRole('combobox', { name: /^Kind/ })).toHaveDisplayValue('Premium');
    choose(/^Sport/, 'Every sport');
    choose(/^Period/, 'All time');
    choose(/^Kind/, 'Public');
    choose(/^Stakes/, 'Level');
    choose(/^Order by/, 'Smallest drawdown');
    fireEvent.change(screen.getByRole('spinbutton', { name: 'Min. tips' }), { target: { value: '100' } });
    fireEvent.change(screen.getByRole('spinbutton', { name: 'Max. average odds' }), { target: { value: '3.5' } });
    expect(sent(form)).toMatchObject({
      sportId: '0',
      period: '6',
      portfolioType: '1',
      filterType: '1',
      order: '5',
      tips: '100',
      maxOdds: '3.5',
    });
  });

  it('never sends a page, so that a new filter begins at its first', () => {
    expect(Object.keys(sent(show({ ...defaultComparisonFilter, page: 3 })))).not.toContain('page');
  });

  it('accepts odds in thousandths and units in hundredths, and nothing below zero', () => {
    show();
    const field = (name: string) => screen.getByRole('spinbutton', { name });
    expect(field('Min. average odds')).toHaveAttribute('step', '0.001');
    expect(field('Min. profit, units')).toHaveAttribute('step', '0.01');
    expect(field('Min. yield, %')).toHaveAttribute('min', '0');
  });
});

describe('the head of a portfolio', () => {
  const portfolio: PortfolioView = {
    ...{
      id: 1,
      reference: 'ann-football',
      type: PortfolioVisibility.public,
      name: 'Ann Football',
      description: '',
      owner: 'ann',
      tipledgerPro: false,
      sells: false,
    },
    ...{ followers: 1, createdAt: '2025-12-31T23:30:00.000Z', abandoned: false, demo: false, picture: null },
  };
  const show = (more: Partial<PortfolioView> = {}, activeHref = '/tipster/ann-football', timeZone = 'Europe/London') =>
    render(<PortfolioHead portfolio={{ ...portfolio, ...more }} activeHref={activeHref} timeZone={timeZone} />);

  it('names it, its owner, its age and its followers', () => {
    show();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Ann Football');
    expect(screen.getByRole('banner')).toHaveTextContent('by ann · since December 2025 · 1 follower');
    expect(screen.queryByText(/Members|Demo data|Closed/)).not.toBeInTheDocument();
  });

  it('tells its age by the reader’s calendar', () => {
    show({ followers: 1_204 }, undefined, 'Asia/Kathmandu');
    expect(screen.getByRole('banner')).toHaveTextContent('by ann · since January 2026 · 1,204 followers');
  });

  it('says what kind it is', () => {
    show({ type: PortfolioVisibility.premium, demo: true, abandoned: true });
    for (const badge of ['Premium', 'Demo data', 'Closed']) expect(screen.getByText(badge)).toBeVisible();
  });

  it('leads between its pages, the present one marked, and back to the tipsters', () => {
    show({}, '/tipster/ann-football/results');
    const tabs = within(screen.getByRole('navigation', { name: 'Ann Football' }));
    expect(tabs.getByRole('link', { name: 'Results' })).toHaveAttribute('aria-current', 'page');
    expect(tabs.getAllByRole('link').filter((link) => link.hasAttribute('aria-current'))).toHaveLength(1);
    expect(tabs.getByRole('link', { name: 'Profile' })).toHaveAttribute('href', '/tipster/ann-football');
    expect(tabs.getByRole('link', { name: 'Statistics' })).toHaveAttribute('href', '/tipster/ann-football/stats');
    expect(tabs.getByRole('link', { name: 'Tips' })).toHaveAttribute('href', '/tipster/ann-football/tips');
    expect(
      within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getByRole('link', { name: 'Tipsters' }),
    ).toHaveAttribute('href', '/tipster');
  });
});

describe('the tabs of a time range', () => {
  const hrefOf = (period: TimeRange | undefined) => `/tipster/ann${period === undefined ? '' : `?period=${period}`}`;

  it('lead to each range, all time without a parameter, and mark the one shown', () => {
    render(<PeriodTabs period={TimeRange.month} hrefOf={hrefOf} />);
    const links = within(screen.getByRole('navigation', { name: 'Time range' })).getAllByRole('link');
    expect(
      links.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('aria-current')]),
    ).toEqual([
      ['Past month', '/tipster/ann?period=2', 'page'],
      ['Past 3 months', '/tipster/ann?period=3', null],
      ['Past 12 months', '/tipster/ann?period=5', null],
      ['All time', '/tipster/ann', null],
    ]);
  });
});
