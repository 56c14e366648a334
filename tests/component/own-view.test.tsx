import { act, render, screen } from '@testing-library/react';
import { showGuest, showMember } from '@/components/state/viewer';
import { momentMark, oddsMark } from '@/components/formats/marks';
import { Moment } from '@/components/formats/moment';
import { Odds } from '@/components/formats/odds';
import { SlipButton } from '@/components/bet-slip/slip-button';
import { selectionMark } from '@/components/bet-slip/slip-marks';
import { OwnView } from '@/components/formats/own-view';
import { PageDays } from '@/components/formats/page-days';
import { TotalOdds } from '@/components/formats/total-odds';
import { ZoneName } from '@/components/formats/zone-name';
import { Time } from '@/components/ui/time';
import { ownFormatsKey, type Settings } from '@/lib/accounts/schema';
import type { Price } from '@/lib/odds/schema';
import { timeZones } from '@/lib/reference/schema';
import { settings, user } from '../support/member-answers';

const zoneId = (tz: string) => timeZones.find((zone) => zone.tz === tz)?.id ?? 0;
const settingsWith = (given: Partial<Settings>): Settings => ({
  ...settings,
  timezoneId: zoneId('Europe/London'),
  ...given,
});
const choose = (given: Partial<Settings>) =>
  act(() => showMember(0, { user, settings: settingsWith(given), portfolios: [] }));

const saturdayEvening = '2026-11-21T20:00:00.000Z';
const timeZone = 'Europe/London';
const quoted: Price = { oddsThousandths: 2500, fraction: { numerator: 6, denominator: 4 } };

function Sample({ price = quoted }: { price?: Price }) {
  return (
    <main>
      <p data-testid="price">
        <Odds price={price} display="decimal" />
      </p>
      <p data-testid="total">
        <TotalOdds thousandths={12_345} display="decimal" />
      </p>
      <p data-testid="when">
        <Moment at={saturdayEvening} style="day-time" timeZone={timeZone} /> <ZoneName name="UK time" />
      </p>
      <p data-testid="heading">
        Sat 21 Nov 2026
        <PageDays />
      </p>
      <p data-testid="row">
        <Time dateTime={saturdayEvening} title="Sat 21 Nov 2026, 20:00">
          <span data-date="time-of-day">20:00</span>
        </Time>
      </p>
      <p data-testid="day">
        <Time dateTime="2026-11-21">Sat 21 Nov 2026</Time>
      </p>
      <svg>
        <text data-testid="tick" {...oddsMark(1500)}>
          1.50
        </text>
        <text data-testid="edge" {...momentMark(saturdayEvening, 'short-day')}>
          21 Nov
        </text>
      </svg>
    </main>
  );
}

const textOf = (id: string) => screen.getByTestId(id).textContent;
const settled = () => act(async () => undefined);

beforeEach(() => act(() => showGuest()));

const show = (price?: Price) =>
  render(
    <>
      <Sample {...(price && { price })} />
      <OwnView />
    </>,
  );

test('a guest sees the page as it was made', () => {
  show();
  expect(['price', 'total', 'when', 'row', 'tick', 'edge'].map(textOf)).toEqual([
    '2.50',
    '12.35',
    'Sat 21 Nov 2026, 20:00 UK time',
    '20:00',
    '1.50',
    '21 Nov',
  ]);
  expect(screen.getByText('(UK time)', { exact: false })).not.toBeVisible();
});

test('a member sees every price in the format chosen, the fraction that was quoted as it was quoted', () => {
  show();
  choose({ oddsDisplayType: 'fraction' });
  expect(['price', 'total', 'tick'].map(textOf)).toEqual(['6/4', '12.35', '1/2']);
  choose({ oddsDisplayType: 'US' });
  expect(['price', 'total', 'tick'].map(textOf)).toEqual(['+150', '+1135', '−200']);
  choose({});
  expect(['price', 'total', 'tick'].map(textOf)).toEqual(['2.50', '12.35', '1.50']);
});

test('a member sees every time in the zone chosen, under headings that say whose days they are', () => {
  show();
  choose({ timezoneId: zoneId('Pacific/Auckland') });
  expect(['when', 'row', 'edge', 'day'].map(textOf)).toEqual([
    'Sun 22 Nov 2026, 09:00 Auckland time',
    'Sun 09:00',
    '22 Nov',
    'Sat 21 Nov 2026',
  ]);
  expect(screen.getByTestId('row').firstElementChild).toHaveAttribute('title', 'Sun 22 Nov 2026, 09:00');
  expect(screen.getByText('(UK time)', { exact: false })).toBeVisible();
  choose({});
  expect(['when', 'row', 'edge'].map(textOf)).toEqual(['Sat 21 Nov 2026, 20:00 UK time', '20:00', '21 Nov']);
});

test('a zone whose name is a time already is not called one twice', () => {
  show();
  choose({ timezoneId: zoneId('Etc/UTC') });
  expect(textOf('when')).toBe('Sat 21 Nov 2026, 20:00 UTC');
});

test('what the page shows later is seen so too, also when React writes it anew', async () => {
  choose({ oddsDisplayType: 'fraction' });
  const { rerender } = show();
  expect(textOf('price')).toBe('6/4');
  rerender(
    <>
      <Sample price={{ oddsThousandths: 1910, fraction: null }} />
      <aside data-testid="later">
        <Odds price={{ oddsThousandths: 3250, fraction: null }} display="decimal" />
      </aside>
      <OwnView />
    </>,
  );
  await settled();
  expect([textOf('price'), textOf('later')]).toEqual(['10/11', '9/4']);
});

test('who logs out sees the page as guests do, in the odds that its address asks for', () => {
  window.history.replaceState(null, '', '/fixture/a-v-b?odds=US');
  show();
  choose({ oddsDisplayType: 'fraction', timezoneId: zoneId('Pacific/Auckland') });
  act(() => showGuest());
  expect(['price', 'when'].map(textOf)).toEqual(['+150', 'Sat 21 Nov 2026, 20:00 UK time']);
  window.history.replaceState(null, '', '/');
});

test('what is seen otherwise is left for the next page to know before its first paint, and nothing waits once it is laid over', () => {
  const { dataset } = document.documentElement;
  const known = () => localStorage.getItem(ownFormatsKey);
  show();
  expect(known()).toBeNull();
  dataset.awaits = 'odds';
  choose({ oddsDisplayType: 'fraction' });
  expect([known(), dataset.awaits]).toEqual(['odds', undefined]);
  choose({ oddsDisplayType: 'fraction', timezoneId: zoneId('Pacific/Auckland') });
  expect(known()).toBe('odds times');
  choose({ timezoneId: zoneId('Pacific/Auckland') });
  expect(known()).toBe('times');
  dataset.awaits = 'times';
  act(() => showGuest());
  expect([known(), dataset.awaits]).toEqual([null, undefined]);
});

test('a button that is a price is called by the price as it is shown', () => {
  render(
    <>
      <table>
        <tbody>
          <tr {...selectionMark('Rovers')}>
            <td>
              <SlipButton selectionId={7} bookmaker={{ id: 3, name: 'Tarnwick' }} label="Rovers 2.50 at Tarnwick">
                <Odds price={{ oddsThousandths: 2500, fraction: null }} display="decimal" />
              </SlipButton>
            </td>
          </tr>
        </tbody>
      </table>
      <OwnView />
    </>,
  );
  expect(screen.getByRole('button', { name: 'Rovers 2.50 at Tarnwick' })).toHaveTextContent('2.50');
  choose({ oddsDisplayType: 'fraction' });
  expect(screen.getByRole('button', { name: 'Rovers 6/4 at Tarnwick' })).toHaveTextContent('6/4');
});
