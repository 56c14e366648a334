import type { Random } from './random';

/** Invented places. Leagues, courses and clubs of the demo world are named after them. */
export const places = [
  'Ashmarrow',
  'Brackwater',
  'Caldermoor',
  'Dunmarsh',
  'Eldhaven',
  'Fernholt',
  'Gallowmere',
  'Hollinvale',
  'Ivermoss',
  'Jarrowick',
  'Kelderby',
  'Lorncaster',
  'Millbrook Tye',
  'Norrowdale',
  'Ostermouth',
  'Pellworth',
  'Quennby',
  'Rushmarrow',
  'Silverlode',
  'Tallowford',
  'Umberleigh Cross',
  'Varrowgate',
  'Wexmoor',
  'Yarrowsend',
] as const;

const clubEndings = ['Rovers', 'United', 'Athletic', 'Wanderers', 'Albion', 'Town'] as const;
const teamEndings = [
  'Herons',
  'Ironworks',
  'Lanterns',
  'Otters',
  'Comets',
  'Millers',
  'Badgers',
  'Mariners',
  'Kestrels',
  'Foxes',
  'Anvils',
  'Stags',
] as const;

const firstParts = [
  'Thorn',
  'Quill',
  'Marl',
  'Hazel',
  'Penn',
  'Brack',
  'Ister',
  'Lorn',
  'Wex',
  'Tarn',
  'Oster',
  'Fenn',
] as const;
const lastParts = ['ovar', 'iskell', 'andrel', 'umber', 'ewold', 'ackary', 'ostrin', 'imarsh'] as const;
const initials = 'ABCDEFGHJKLMNPRSTW';

const colours = [
  'Amber',
  'Copper',
  'Quiet',
  'Winter',
  'Velvet',
  'Distant',
  'Morning',
  'Paper',
  'Hollow',
  'Gilded',
  'Second',
  'Wandering',
] as const;
const things = [
  'Lantern',
  'Harbour',
  'Ledger',
  'Thistle',
  'Parade',
  'Compass',
  'Sonata',
  'Orchard',
  'Signal',
  'Ferry',
  'Almanac',
  'Verdict',
] as const;

const every = <A, B>(first: readonly A[], second: readonly B[], join: (a: A, b: B) => string) =>
  second.flatMap((b, step) => first.map((_, index) => join(first[(index + step) % first.length] as A, b)));

/** Invented clubs of football leagues, as many as asked for, no two alike. */
export const clubs = (random: Random, count: number) =>
  random.shuffled(every(places, clubEndings, (place, ending) => `${place} ${ending}`)).slice(0, count);

/** Invented teams of other sports. */
export const teams = (random: Random, count: number) =>
  random.shuffled(every(places, teamEndings, (place, ending) => `${place} ${ending}`)).slice(0, count);

/** Invented players, fighters and drivers: an initial and a surname that nobody has. */
export const players = (random: Random, count: number) =>
  random
    .shuffled(every(firstParts, lastParts, (first, last) => `${first}${last}`))
    .slice(0, count)
    .map((surname) => `${initials[random.whole(0, initials.length - 1)]}. ${surname}`);

/** Invented horses and greyhounds. */
export const animals = (random: Random, count: number) =>
  random.shuffled(every(colours, things, (colour, thing) => `${colour} ${thing}`)).slice(0, count);
