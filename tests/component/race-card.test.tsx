import { render, screen, within } from '@testing-library/react';
import { RaceCardTable } from '@/components/fixtures/race-card';
import { Scoreboard } from '@/components/fixtures/scoreboard';
import type { RaceCard, RaceCardRow } from '@/lib/fixtures/rules';
import type { RunnerView } from '@/lib/fixtures/schema';
import { OddsDisplay } from '@/lib/reference/schema';
import { fixtureRow } from '../unit/fixtures/rows';

const price = (oddsThousandths: number) => ({ oddsThousandths, fraction: null });

const runner = (name: string, more: Partial<RunnerView> = {}): RunnerView => ({
  ...{
    reference: name.toLowerCase(),
    name,
    number: null,
    withdrawal: null,
    startingPrice: null,
    position: null,
    selectionId: null,
    jockey: null,
    trainer: null,
    weightPounds: null,
    draw: null,
    form: [],
  },
  ...more,
});

const row = (name: string, more: Partial<RaceCardRow> & { runner?: RunnerView } = {}): RaceCardRow => ({
  runner: runner(name),
  best: { price: price(3500), bookmakerId: 1, bookmakers: ['Bet One'] },
  finish: null,
  ...more,
});

const race = { name: '15:30 Ayr', sportReference: 'horse-racing', handicap: false, placesKnown: 0 };

function show(card: Partial<RaceCard>, fixture: Partial<typeof race> = {}): string[][] {
  render(
    <RaceCardTable
      fixture={{ ...race, ...fixture }}
      card={{ basis: 'now', isDecided: false, rows: [], withdrawn: [], ...card }}
      display={OddsDisplay.decimal}
      timeZone="Europe/London"
    />,
  );
  const rows = within(screen.getByRole('table', { name: /^(Runners|Entrants): 15:30 Ayr$/ })).getAllByRole('row');
  return rows.map((each) => [...each.children].map((cell) => cell.textContent ?? ''));
}

const field = (count: number) => Array.from({ length: count }, (_, index) => row(`Horse ${index}`));

describe('a race card', () => {
  it('before the off has each runner with its best price and whose it is, and no column that nothing is known for', () => {
    const rows = show({
      rows: [
        row('Ash'),
        row('Elm', { best: { price: price(12_000), bookmakerId: 1, bookmakers: ['Bet One', 'Bet Two', 'Bet Three'] } }),
        row('Oak', { best: null }),
      ],
    });
    expect(rows).toEqual([
      ['Runner', 'Best price'],
      ['Ash', '3.50Bet One'],
      ['Elm', '12.00Bet One and 2 more'],
      ['Oak', '–no price'],
    ]);
    expect(screen.getByRole('rowheader', { name: 'Ash' })).toBeVisible();
  });

  it('after the off has places, numbers, closing and starting prices, and says where two finished level', () => {
    const known = (name: string, number: number, position: number, level: number) =>
      row(name, {
        runner: runner(name, { number, position, startingPrice: price(3600) }),
        finish: { position, level },
      });
    const rows = show({
      basis: 'closing',
      isDecided: true,
      rows: [known('Ash', 4, 1, 1), known('Elm', 2, 2, 2), known('Oak', 1, 2, 2), row('Fir')],
    });
    expect(rows).toEqual([
      ['Finish', 'No.', 'Runner', 'Best closing price', 'Starting price'],
      ['1st', '4', 'Ash', '3.50Bet One', '3.60'],
      ['2nddead heat', '2', 'Elm', '3.50Bet One', '3.60'],
      ['2nddead heat', '1', 'Oak', '3.50Bet One', '3.60'],
      ['–unknown', '–not given', 'Fir', '3.50Bet One', '–none'],
    ]);
  });

  it('strikes the withdrawn through, last, with their price and the hour in the reader’s time zone', () => {
    const withdrawal = { at: '2026-05-09T09:14:30.000Z', price: price(5500) };
    const rows = show({
      rows: [row('Ash')],
      withdrawn: [runner('Elm', { withdrawal }), runner('Oak', { withdrawal: { ...withdrawal, price: null } })],
    });
    expect(rows.slice(2)).toEqual([
      ['Elm', 'Withdrawn at odds of 5.50Sat 9 May 2026, 10:14'],
      ['Oak', 'WithdrawnSat 9 May 2026, 10:14'],
    ]);
    expect(screen.getByText('Elm').tagName).toBe('S');
    expect(screen.getByText('Ash').tagName).not.toBe('S');
  });

  it('keeps its columns when some are withdrawn after a result', () => {
    const withdrawal = { at: '2026-05-09T09:14:30.000Z', price: null };
    show({
      isDecided: true,
      rows: [
        row('Ash', {
          runner: runner('Ash', { startingPrice: price(3600), number: 1 }),
          finish: { position: 1, level: 1 },
        }),
      ],
      withdrawn: [runner('Elm', { withdrawal })],
    });
    const widths = screen
      .getAllByRole('row')
      .map((each) => [...each.children].reduce((sum, cell) => sum + (cell as HTMLTableCellElement).colSpan, 0));
    expect(widths).toEqual([5, 5, 5]);
  });
});

describe('the line above a race card', () => {
  const line = () => document.querySelector('p')?.textContent?.trim();

  it.each([
    [4, false, '4 runners. Too few runners for each-way places: the whole stake is on the win.'],
    [7, false, '7 runners. Standard each-way terms: 2 places at 1/4 of the odds.'],
    [8, true, '8 runners. Handicap. Standard each-way terms: 3 places at 1/5 of the odds.'],
    [16, true, '16 runners. Handicap. Standard each-way terms: 4 places at 1/4 of the odds.'],
  ])('gives the terms of %d runners (handicap: %s)', (count, handicap, text) => {
    show({ rows: field(count) }, { handicap });
    expect(line()).toBe(text);
  });

  it('counts only those that run', () => {
    show({
      rows: field(7),
      withdrawn: [runner('Elm', { withdrawal: { at: '2026-05-09T09:14:30.000Z', price: null } })],
    });
    expect(line()).toBe('7 of 8 runners. Standard each-way terms: 2 places at 1/4 of the odds.');
  });

  it('says how much of the result is told, where that is not the whole', () => {
    show(
      { isDecided: true, rows: [row('Ash', { finish: { position: 1, level: 1 } }), row('Elm')] },
      { placesKnown: 1 },
    );
    expect(line()).toMatch(/Only the winner is known\.$/);
  });

  it.each([
    ['motor-racing', '9 entrants.'],
    ['golf', '9 entrants. Standard each-way terms: 5 places at 1/4 of the odds.'],
  ])('has the terms that the sport goes by, or none: %s', (sportReference, text) => {
    const [head] = show({ rows: field(9) }, { sportReference });
    expect(line()).toBe(text);
    expect(head).toEqual(['Entrant', 'Best price']);
  });
});

describe('the head of a race', () => {
  const fixture = fixtureRow({ name: '15:30 Ayr', startsAt: '2026-05-09T14:30:00.000Z', started: true });
  const positions = [
    { position: 1, name: 'Ash' },
    { position: 2, name: 'Elm' },
  ];

  it('names the winner and leaves the rest to the card', () => {
    render(
      <Scoreboard
        fixture={{ ...fixture, score: { ...fixture.score, positions } }}
        timeZone="Europe/London"
        timeZoneName="UK time"
      />,
    );
    expect(screen.getByText('Won by Ash')).toBeVisible();
    expect(screen.getByText('Result')).toBeVisible();
    expect(screen.queryByText('Elm')).not.toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('15:30 Ayr');
  });
});
