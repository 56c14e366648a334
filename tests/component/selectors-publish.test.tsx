import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { Desk } from '@/components/add-tips/desk';
import { ModalHost } from '@/components/modals/modal-host';
import { closeModals } from '@/components/state/modals';
import { loadPreferences, matrixAtom } from '@/components/state/preferences';
import { type Identity, showGuest, showMember } from '@/components/state/viewer';
import { marketKindName } from '@/lib/fixtures/rules';
import { type FixtureDetail, marketKinds, type MarketView } from '@/lib/fixtures/schema';
import { Role } from '@/lib/reference/schema';
import { teachDialogs } from '../support/dialogs';
import { everyMarket } from '../support/every-market';
import { marketsView } from '../support/markets';
import { pressEnter, priceButtons, reachedByKeys } from '../support/price-buttons';
import { fixtureRow } from '../unit/fixtures/rows';

teachDialogs();

type Sent = { legs: { fixtureReference: string; selectionId: number; bookmakerId: number; oddsThousandths: number }[] };

const ways = [
  { way: 'the pointer', press: (button: HTMLElement) => void fireEvent.click(button), reachable: priceButtons },
  { way: 'keys alone', press: pressEnter, reachable: reachedByKeys },
];

let sent: Sent[];
let fixtures = 0;

/** Shows the desk of a fixture of its own with these markets, to a tipster. */
async function show(markets: MarketView[]): Promise<string> {
  fixtures += 1;
  const reference = `rovers-v-town-${fixtures}`;
  sent = [];
  global.fetch = jest.fn(async (address: string | URL | Request, init?: RequestInit) => {
    const isPublishing = String(address).includes('/tips/add-tip');
    if (isPublishing) sent.push(JSON.parse(String(init?.body)) as Sent);
    const body = isPublishing
      ? { reference: 'abcdefghij', publishedAt: '2026-03-06T15:00:00.000Z' }
      : { ...marketsView(markets), fixtureReference: reference };
    return {
      ok: true,
      status: isPublishing ? 201 : 200,
      statusText: '',
      headers: new Headers(),
      text: async () => JSON.stringify(body),
    } as Response;
  });
  const portfolio = { reference: 'ann-open', name: 'Ann Open', type: 1, defaultTipStake: 1, description: '' };
  act(() =>
    showMember(Role.user, {
      user: { username: 'ann', emailConfirmed: true },
      settings: { timezoneId: 33, oddsDisplayType: 'decimal' },
      portfolios: [portfolio],
    } as unknown as Identity),
  );
  const fixture: FixtureDetail = { ...fixtureRow({ reference }), handicap: false, placesKnown: 0, runners: [] };
  await act(async () => {
    render(
      <>
        <Desk fixture={fixture} entrance={null} />
        <ModalHost />
      </>,
    );
  });
  await waitFor(() => expect(priceButtons().length).toBeGreaterThan(0));
  return reference;
}

/** Publishes the tip that is open, once it says what it is on, and closes it. By words, since a question by role goes through the whole desk each time. */
async function publish(words: readonly string[]): Promise<void> {
  const button = await screen.findByText('Publish in Ann Open');
  for (const word of words) expect(button.closest('dialog')).toHaveTextContent(word);
  fireEvent.click(button);
  fireEvent.click(await screen.findByText('Add another'));
}

afterEach(() => {
  cleanup();
  act(() => {
    closeModals();
    showGuest();
    // After the desk has gone: it would fetch its selectors anew.
    void getDefaultStore().set(matrixAtom, false);
  });
});

describe.each(marketKinds)('the selector of %s', (kind) => {
  test.each(ways)(
    'publishes each selection that it shows, at its line, bookmaker and price, by $way',
    async ({ press, reachable }) => {
      const fixtureReference = await show(everyMarket[kind]);
      const shown = everyMarket[kind].flatMap((market) =>
        market.selections.map((selection) => ({ market, selection })),
      );
      const buttons = reachable();
      expect(buttons.map(({ dataset }) => Number(dataset.selection)).toSorted()).toEqual(
        shown.map(({ selection }) => selection.id).toSorted(),
      );
      for (const button of buttons) {
        const { market, selection } =
          shown.find(({ selection: { id } }) => id === Number(button.dataset.selection)) ?? {};
        const [best] = selection?.odds ?? [];
        press(button);
        // Beside a side of a handicap, which says its own line, the market does not say that of the home side.
        const words = kind.endsWith('handicap') ? marketKindName(kind) : market?.name;
        await publish([selection?.name ?? 'none', words ?? 'none', best?.odds.toFixed(2) ?? 'none']);
        expect(sent.at(-1)?.legs).toEqual([
          {
            fixtureReference,
            selectionId: selection?.id,
            bookmakerId: best?.bookmakerId,
            oddsThousandths: best?.price.oddsThousandths,
          },
        ]);
      }
      expect(sent).toHaveLength(shown.length);
    },
  );
});

test.each(ways)(
  'the matrix publishes each bookmaker’s price on each selection, by $way',
  async ({ press, reachable }) => {
    await act(async () => {
      await loadPreferences();
      getDefaultStore().set(matrixAtom, true);
    });
    await show(everyMarket['match-result']);
    const shown = everyMarket['match-result'].flatMap(({ selections }) =>
      selections.flatMap(({ id, odds }) =>
        odds.map(({ bookmakerId, price }) => [id, bookmakerId, price.oddsThousandths]),
      ),
    );
    for (const button of reachable()) {
      press(button);
      await publish([]);
    }
    expect(
      sent.map(({ legs: [leg] }) => [leg?.selectionId, leg?.bookmakerId, leg?.oddsThousandths]).toSorted(),
    ).toEqual(shown.toSorted());
  },
);
