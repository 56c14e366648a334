import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { ComparedTable } from '@/components/portfolios/compared-table';
import { Face } from '@/components/portfolios/face';
import { FaceField } from '@/components/portfolios/face-field';
import { TipsterCard } from '@/components/portfolios/tipster-card';
import { ComparedChart } from '@/components/stats/compared-chart';
import { ProfitSketch } from '@/components/stats/profit-sketch';
import type { ManagedPortfolio } from '@/lib/portfolios/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { figure, followerView, statisticsView } from '../support/stat-views';

const asked = jest.fn();
jest.mock('@/components/state/api', () => ({ api: (...given: unknown[]) => asked(...given) }));

const file = `${'a'.repeat(64)}-256x256.webp`;
const statistics = statisticsView({ tips: 50, won: 22, profitHundredths: 1250 });

describe('a face', () => {
  const drawn = (reference: string) => render(<Face reference={reference} picture={null} />).container.innerHTML;

  it('is the same mark for the same reference, and mostly another for another', () => {
    expect(drawn('ann-football')).toBe(drawn('ann-football'));
    const marks = Array.from({ length: 60 }, (_, index) => drawn(`tipster-${index}`));
    expect(new Set(marks).size).toBeGreaterThan(40);
  });

  it('never has a pattern in the colour of its ground', () => {
    for (let index = 0; index < 300; index += 1) {
      const [ground, pattern] = render(<Face reference={`t-${index}`} picture={null} />).container.querySelectorAll(
        'path',
      );
      expect(pattern?.getAttribute('d')).toBeTruthy();
      expect(pattern?.getAttribute('class')).not.toBe(ground?.getAttribute('class'));
    }
  });

  it('is the picture where there is one, and says nothing beside the name', () => {
    const { container } = render(<Face reference="ann" picture={file} />);
    const picture = container.querySelector('img');
    expect(picture).toHaveAttribute('src', `/api/images/${file}`);
    expect(picture).toHaveAttribute('alt', '');
  });
});

describe('the picture of a portfolio', () => {
  const portfolio = { reference: 'ann', picture: null } as ManagedPortfolio;
  const onSaved = jest.fn();
  const show = (own = portfolio) => render(<FaceField portfolio={own} onSaved={onSaved} />);
  const choose = (chosen: File) =>
    act(async () =>
      fireEvent.change(screen.getByLabelText('Picture of the portfolio'), { target: { files: [chosen] } }),
    );
  const picture = new File(['x'], 'face.png', { type: 'image/png' });

  beforeEach(() => {
    asked.mockReset();
    onSaved.mockReset();
  });

  it('is uploaded to be a face and saved at once', async () => {
    const saved = { ...portfolio, picture: file };
    asked.mockResolvedValueOnce({ path: `/api/images/${file}`, width: 256, height: 256 }).mockResolvedValueOnce(saved);
    show();
    await choose(picture);
    expect(asked.mock.calls).toEqual([
      ['POST /user/images', { query: { use: 'face' }, body: picture }],
      ['PUT /user/portfolio', { body: { reference: 'ann', picture: file }, idempotencyKey: expect.any(String) }],
    ]);
    expect(onSaved).toHaveBeenCalledWith(saved);
  });

  it('is taken away again', async () => {
    asked.mockResolvedValue(portfolio);
    show({ ...portfolio, picture: file });
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Remove the picture' })));
    expect(asked).toHaveBeenCalledWith(
      'PUT /user/portfolio',
      expect.objectContaining({ body: { reference: 'ann', picture: null } }),
    );
  });

  it('that is refused or too large says why, and nothing is saved', async () => {
    asked.mockRejectedValue(new Error('This picture cannot be taken: it moves. Use one that stands still.'));
    show();
    await choose(picture);
    expect(screen.getByRole('alert')).toHaveTextContent('it moves');
    const large = new File(['x'], 'large.png', { type: 'image/png' });
    Object.defineProperty(large, 'size', { value: 9 * 1024 * 1024 });
    asked.mockReset();
    await choose(large);
    expect(screen.getByRole('alert')).toHaveTextContent('larger than 8 MB');
    expect(asked).not.toHaveBeenCalled();
    expect(onSaved).not.toHaveBeenCalled();
  });
});

describe('a sketch of the profit', () => {
  it('is drawn from the first point to the last, with the line of zero where zero is', () => {
    const { container } = render(<ProfitSketch curve={[0, -100, 100]} label="Profit curve, to +1.00 units" />);
    expect(screen.getByRole('img', { name: 'Profit curve, to +1.00 units' })).toBeVisible();
    expect(container.querySelector('path')?.getAttribute('d')).toBe('M3,16L60,29L117,3');
    expect(container.querySelector('line')?.getAttribute('y1')).toBe('16');
  });

  it('is nothing without a tip, and level where all came to nothing', () => {
    expect(render(<ProfitSketch curve={[]} label="x" />).container.innerHTML).toBe('');
    const { container } = render(<ProfitSketch curve={[0, 0]} label="level" />);
    expect(container.querySelector('path')?.getAttribute('d')).not.toMatch(/NaN/);
  });
});

test('a card says of which time and stakes its figures are', () => {
  render(
    <TipsterCard
      portfolio={{
        ...{
          id: 1,
          reference: 'ann',
          type: PortfolioVisibility.public,
          name: 'Ann',
          owner: 'ann',
          tipledgerPro: false,
          price: null,
        },
        ...{ demo: false, createdAt: '2026-01-01T00:00:00.000Z', followers: 12, picture: null, statistics },
        ...{ curve: [0, 1250], form: 'LWWLWWW', speciality: { kind: 'sport', label: 'Football', tips: 45, of: 50 } },
      }}
    />,
  );
  const card = screen.getByRole('article');
  expect(card).toHaveTextContent('Past 12 months, advised stakes');
  expect(card).toHaveTextContent('Football: 45 of 50 tips');
  expect(within(card).getByRole('list', { name: 'Last 6 results, oldest first' }).children).toHaveLength(6);
});

describe('tipsters side by side', () => {
  const one = {
    reference: 'ann',
    name: 'Ann',
    owner: 'ann',
    demo: false,
    picture: null,
    statistics,
    course: [100, 1250],
  };
  const other = { ...one, reference: 'bob', name: 'Bob', course: [-50, -200] };
  const combined = {
    ...{ tips: 100, profitHundredths: 1050, turnoverHundredths: 10_000, yieldPercent: 10.5 },
    ...{ maxDrawdownHundredths: 350, course: [50, 1050] },
  };

  it('stand in columns, with what they come to together where it adds up', () => {
    const later = followerView({ tips: 30, stillThere: 12, profitHundredths: 150, ownProfitHundredths: 300 });
    const known = {
      ...{ ...statistics, clvPercent: figure(2.345, 40) },
      followers: { ...statistics.followers, after15: later },
    };
    render(
      <ComparedTable
        portfolios={[{ ...one, statistics: known }, other]}
        combined={combined}
        withoutHref={(reference) => `/without-${reference}`}
      />,
    );
    const rows = within(screen.getByRole('table', { name: 'Side by side, at advised stakes' })).getAllByRole('row');
    const row = (title: string) =>
      [...(rows.find((each) => each.firstElementChild?.textContent === title)?.children ?? [])].map(
        (cell) => cell.textContent,
      );
    expect(row('Profit, units')).toEqual(['Profit, units', '+12.50', '+12.50', '+10.50']);
    expect(row('Yield').at(-1)).toBe('+10.5%');
    expect(row('Max drawdown, units').at(-1)).toBe('3.50 by day');
    expect(row('Strike rate').at(-1)).toBe('–');
    expect(row('Closing line value').slice(1, 3)).toEqual(['+2.3% 40 tips', '–']);
    expect(row('Yield 15 min later').slice(1, 3)).toEqual(['+5.0% 30 tips', '–']);
    expect(row('Price still there').slice(1, 3)).toEqual(['40.0% 30 tips', '–']);
    expect(screen.getByRole('link', { name: 'Remove Bob' })).toHaveAttribute('href', '/without-bob');
  });

  it('are drawn on one scale, each by its letter, with the table of it', () => {
    const { container } = render(
      <ComparedChart
        days={['2026-01-05', '2026-01-09']}
        lines={[one, other]}
        combined={{ name: 'Combined', course: combined.course }}
      />,
    );
    expect(screen.getByRole('img')).toHaveAccessibleName(
      'Profit from Mon 5 Jan 2026 to Fri 9 Jan 2026: Ann +12.50 units, Bob −2.00 units, Combined +10.50 units',
    );
    expect([...container.querySelectorAll('li b')].map(({ textContent }) => textContent)).toEqual(['A', 'B', 'Σ']);
    const cells = [...container.querySelectorAll('tbody tr')].map((tr) =>
      [...tr.children].map((cell) => cell.textContent),
    );
    expect(cells).toEqual([
      ['Mon 5 Jan 2026', '+1.00', '−0.50', '+0.50'],
      ['Fri 9 Jan 2026', '+12.50', '−2.00', '+10.50'],
    ]);
  });

  it('have no chart of a single day', () => {
    const { container } = render(
      <ComparedChart
        days={['2026-01-05']}
        lines={[{ name: 'Ann', course: [1] }]}
        combined={{ name: 'Combined', course: [1] }}
      />,
    );
    expect(container.innerHTML).toBe('');
  });
});
