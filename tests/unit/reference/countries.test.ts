import iso from 'i18n-iso-countries';
import english from 'i18n-iso-countries/langs/en.json';
import { countries, defaultCountry } from '@/lib/reference/schema';
import { countryByIso2, countrySchema } from '@/lib/reference/schema/countries';

iso.registerLocale(english);

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('’', "'")
    .replaceAll('&', 'and')
    .replace(/\b(St|U\.S\.)(?=[ .])\.?/g, (short) => (short.startsWith('St') ? 'Saint' : 'US'))
    .toLowerCase();

test('there are 250 countries, each of which satisfies its schema', () => {
  expect(countries).toHaveLength(250);
  for (const country of countries) expect(countrySchema.parse(country)).toEqual(country);
});

test('ids run from 1 to 250 in the order of the two-letter codes', () => {
  expect(countries.map(({ id }) => id)).toEqual(Array.from({ length: 250 }, (_, at) => at + 1));
  expect(countries.map(({ iso2 }) => iso2)).toEqual(countries.map(({ iso2 }) => iso2).toSorted());
  expect([countryByIso2.AD.id, countryByIso2.GB.id, countryByIso2.US.id, countryByIso2.ZW.id]).toEqual([
    1, 77, 233, 250,
  ]);
});

test('the pairs of codes are those of ISO 3166-1 and Kosovo', () => {
  expect(Object.fromEntries(countries.map(({ iso2, iso3 }) => [iso2, iso3]))).toEqual(iso.getAlpha2Codes());
});

test('no two countries share a name, an official name or a code', () => {
  for (const field of ['name', 'longName', 'iso2', 'iso3'] as const) {
    expect(new Set(countries.map((country) => country[field])).size).toBe(250);
  }
});

test('names are those that Intl or the ISO list gives in English', () => {
  const shown = new Intl.DisplayNames('en', { type: 'region' });
  const unusual = countries.filter(({ iso2, name }) => {
    const listed = iso.getName(iso2, 'en', { select: 'all' }) ?? [];
    return ![shown.of(iso2) ?? '', ...listed].map(plain).includes(plain(name));
  });
  expect(unusual.map(({ name }) => name)).toEqual(['Macau']);
});

test('official names are the full ones', () => {
  expect(countryByIso2.GB.longName).toBe('United Kingdom of Great Britain and Northern Ireland');
  expect(countryByIso2.US.longName).toBe('United States of America');
  expect(countryByIso2.DE.longName).toBe('Federal Republic of Germany');
  expect(countryByIso2.CH.longName).toBe('Swiss Confederation');
  expect(countryByIso2.CI.longName).toBe("Republic of Côte d'Ivoire");
  expect(countries.filter(({ name, longName }) => name !== longName).length).toBeGreaterThan(170);
});

test('the country that stands in for an unknown one is the United Kingdom', () => {
  expect(defaultCountry).toEqual({
    id: 77,
    name: 'United Kingdom',
    longName: 'United Kingdom of Great Britain and Northern Ireland',
    iso2: 'GB',
    iso3: 'GBR',
  });
});

test('a country with a code of the wrong length is refused', () => {
  expect(countrySchema.safeParse({ ...defaultCountry, iso2: 'GBR' }).success).toBe(false);
  expect(countrySchema.safeParse({ ...defaultCountry, iso3: 'gbr' }).success).toBe(false);
});
