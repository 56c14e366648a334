import fc from 'fast-check';
import { isBookmakerVisible } from '@/lib/odds/rules';
import { byPreference } from '@/lib/reference/rules';
import {
  type Bookmaker,
  type BookmakerPurpose,
  bundledBookmakers,
  countries,
  furtherBookmakers,
  houseBookmakerId,
  sourceBookmakers,
} from '@/lib/reference/schema';
import { bookmakerPreference } from '@/lib/reference/schema/bookmaker-list';
import { bookmakerSchema } from '@/lib/reference/schema/bookmakers';
import { countryByIso2 } from '@/lib/reference/schema/countries';

const everyone = [...bundledBookmakers, ...furtherBookmakers, ...sourceBookmakers];
const fictional = everyone.filter(({ demo }) => demo);
const purposes: readonly BookmakerPurpose[] = ['markets', 'liveOdds', 'addTips'];

function bookmaker(reference: string): Bookmaker {
  const found = everyone.find((one) => one.reference === reference);
  if (!found) throw new Error(`No bookmaker ${reference}`);
  return found;
}

describe('the lists', () => {
  test('bundle the 11 ids of the specification and add 46 and 48', () => {
    expect(bundledBookmakers.map(({ id }) => id)).toEqual([1, 6, 11, 15, 16, 17, 26, 33, 41, 44, 45]);
    expect(furtherBookmakers.map(({ id }) => id)).toEqual([46, 48]);
  });

  test('satisfy the schema, with no id, reference or name twice', () => {
    for (const one of everyone) expect(bookmakerSchema.parse(one)).toEqual(one);
    for (const field of ['id', 'reference', 'name'] as const)
      expect(new Set(everyone.map((one) => one[field])).size).toBe(everyone.length);
  });

  test('have every field that the specification names', () => {
    const specified =
      'id, reference, name, url, bonusOffer, bonusTerms, rating, description, bulletPoints, backgroundColour, showOnMarkets, marketsCountryBlock, showOnLiveOdds, liveOddsCountryBlock, showOnAddTips, addTipsCountryBlock';
    for (const one of everyone) expect(Object.keys(one)).toEqual(expect.arrayContaining(specified.split(', ')));
  });

  test('say that every firm but the house book is fictional, in its description and under its bonus', () => {
    expect(fictional.map(({ id }) => id)).toEqual([1, 6, 11, 15, 16, 17, 26, 33, 41, 44, 46, 48]);
    for (const { reference, description, bonusOffer, bonusTerms, url } of fictional) {
      expect(description).toContain('fictional firm');
      expect(url).toBe(`https://${reference}.example`);
      expect(bonusTerms !== '').toBe(bonusOffer !== '');
      if (bonusOffer !== '') expect(bonusTerms).toContain('the firm is fictional and the offer cannot be claimed');
    }
  });

  test('name the house book 45 Tipledger Exchange, unrated and without a bonus', () => {
    expect(houseBookmakerId).toBe(45);
    expect(bookmaker('tipledger-exchange')).toMatchObject({
      id: 45,
      name: 'Tipledger Exchange',
      exchange: true,
      demo: false,
      rating: null,
      bonusOffer: '',
      bonusTerms: '',
    });
  });

  test('write bonus terms in paragraphs and lists only, every tag closed', () => {
    for (const { bonusTerms } of everyone) {
      expect(bonusTerms.replace(/<\/?(p|ul|li)>/g, '')).not.toMatch(/[<>]/);
      for (const tag of ['p', 'ul', 'li'])
        expect(bonusTerms.split(`<${tag}>`)).toHaveLength(bonusTerms.split(`</${tag}>`).length);
    }
  });

  test('give colours on which white text has a contrast of 4.5 or more', () => {
    const linear = (byte: number) =>
      byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4;
    for (const { backgroundColour } of everyone) {
      const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
        linear(Number.parseInt(backgroundColour.slice(at, at + 2), 16)),
      );
      expect(1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('block by ids of countries that exist, each once', () => {
    const ids = new Set(countries.map(({ id }) => id));
    for (const one of everyone) {
      for (const block of [one.marketsCountryBlock, one.liveOddsCountryBlock, one.addTipsCountryBlock]) {
        expect(block.every((id) => ids.has(id))).toBe(true);
        expect(new Set(block).size).toBe(block.length);
      }
    }
  });

  test('hold the firms of the import formats under stable ids, with nothing said of them but name and home page', () => {
    expect(sourceBookmakers.map(({ id, name }) => [id, name])).toEqual([
      [101, 'bet365'],
      [102, 'Betfred'],
      [103, 'BetMGM'],
      [104, 'BetVictor'],
      [105, 'bwin'],
      [106, 'Coral'],
      [107, 'Ladbrokes'],
      [108, 'Pinnacle'],
      [109, 'Betfair Exchange'],
      [110, 'William Hill'],
      [111, 'Interwetten'],
      [112, '1xBet'],
      [113, 'Betfair Sportsbook'],
      [114, 'Gamebookers'],
      [115, 'Sportingbet'],
      [116, 'Stan James'],
      [117, 'Stanleybet'],
      [118, 'Sporting Odds'],
      [119, 'Blue Square'],
    ]);
    for (const one of sourceBookmakers) {
      expect(one).toMatchObject({
        demo: false,
        rating: null,
        bonusOffer: '',
        bonusTerms: '',
        description: '',
        bulletPoints: [],
      });
      expect(one.reference).toBe(one.name.toLowerCase().replaceAll(' ', '-'));
      expect(one.url === '' || new URL(one.url).pathname === '/').toBe(true);
    }
    expect(sourceBookmakers.filter(({ exchange }) => exchange).map(({ name }) => name)).toEqual(['Betfair Exchange']);
  });

  test('refuse a rating finer than a tenth or above ten, a plain http address and a colour by name', () => {
    const given = bookmaker('tarnwick');
    for (const rating of [8.45, 10.1, -0.1])
      expect(bookmakerSchema.safeParse({ ...given, rating }).success).toBe(false);
    for (let tenths = 0; tenths <= 100; tenths += 1)
      expect(bookmakerSchema.safeParse({ ...given, rating: tenths / 10 }).success).toBe(true);
    expect(bookmakerSchema.safeParse({ ...given, url: 'http://tarnwick.example' }).success).toBe(false);
    expect(bookmakerSchema.safeParse({ ...given, backgroundColour: 'red' }).success).toBe(false);
  });
});

describe('isBookmakerVisible', () => {
  test('hides the first bookmaker of the bundled list everywhere, and nobody else everywhere', () => {
    const hidden = bundledBookmakers.filter((one) =>
      countries.every(({ id }) => purposes.every((purpose) => !isBookmakerVisible(one, id, purpose))),
    );
    expect(hidden.map(({ id }) => id)).toEqual([1]);
  });

  test.each([
    ['markets', 'marketsCountryBlock', 'showOnMarkets'],
    ['liveOdds', 'liveOddsCountryBlock', 'showOnLiveOdds'],
    ['addTips', 'addTipsCountryBlock', 'showOnAddTips'],
  ] as const)('obeys for %s the block and the switch of that purpose alone', (purpose, block, shown) => {
    const open = {
      ...bookmaker('tipledger-exchange'),
      marketsCountryBlock: [],
      liveOddsCountryBlock: [],
      addTipsCountryBlock: [],
    };
    const blocked = { ...open, [block]: [countryByIso2.US.id] };
    const off = { ...open, [shown]: false };
    for (const asked of purposes) {
      expect(isBookmakerVisible(open, countryByIso2.US.id, asked)).toBe(true);
      expect(isBookmakerVisible(blocked, countryByIso2.US.id, asked)).toBe(asked !== purpose);
      expect(isBookmakerVisible(blocked, countryByIso2.GB.id, asked)).toBe(true);
      expect(isBookmakerVisible(off, countryByIso2.GB.id, asked)).toBe(asked !== purpose);
    }
  });

  test('can differ between purposes in the bundled list', () => {
    const quillgate = bookmaker('quillgate');
    expect(isBookmakerVisible(quillgate, countryByIso2.FR.id, 'markets')).toBe(true);
    expect(isBookmakerVisible(quillgate, countryByIso2.FR.id, 'addTips')).toBe(false);
  });
});

describe('byPreference', () => {
  test('puts the preference list first and the others after it by id', () => {
    const order = everyone.toSorted(byPreference).map(({ id }) => id);
    expect(order).toEqual([...bookmakerPreference, ...sourceBookmakers.map(({ id }) => id)]);
  });

  test('lists every bundled and further bookmaker once, the house book first and the hidden one last', () => {
    const listed = [...bundledBookmakers, ...furtherBookmakers].map(({ id }) => id);
    expect(bookmakerPreference.toSorted((one, other) => one - other)).toEqual(listed);
    expect(bookmakerPreference[0]).toBe(45);
    expect(bookmakerPreference.at(-1)).toBe(1);
  });

  test('gives one order whatever the order before', () => {
    const sorted = everyone.toSorted(byPreference);
    fc.assert(
      fc.property(fc.shuffledSubarray([...everyone], { minLength: everyone.length }), (shuffled) => {
        expect(shuffled.toSorted(byPreference)).toEqual(sorted);
      }),
    );
  });
});
