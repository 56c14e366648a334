import { readFileSync } from 'node:fs';
import path from 'node:path';

/** What schema.org says of a type: what it is a kind of, and what each of its properties may be. */
type Class = { parents: string[]; properties: Map<string, string[]> };

const file = path.join(process.cwd(), 'node_modules/schema-dts/dist/schema.d.ts');

/** The vocabulary of schema.org, as the types of schema-dts tell it. */
function readVocabulary(): Map<string, Class> {
  const classes = new Map<string, Class>();
  const text = readFileSync(file, 'utf8');
  for (const [, name = '', parents = '', body = ''] of text.matchAll(
    /interface (\w+)Base extends ([^{]+?) \{\n([\s\S]*?)\n\}/g,
  )) {
    const properties = [...body.matchAll(/^ {4}"([\w-]+)"\?: SchemaValue<(.*?), "[\w-]+">;$/gm)].map(
      ([, property = '', range = '']) => [property, range.split(' | ')] as const,
    );
    classes.set(name, {
      parents: parents.split(', ').flatMap((parent) => /^(\w+)Base$/.exec(parent)?.[1] ?? []),
      properties: new Map(properties),
    });
  }
  for (const [, name = '', base = ''] of text.matchAll(/interface (\w+)Leaf extends (\w+)Base \{/g))
    if (!classes.has(name)) classes.set(name, { parents: [base], properties: new Map() });
  return classes;
}

let known: Map<string, Class> | undefined;
const vocabulary = () => (known ??= readVocabulary());

const lineOf = (type: string): string[] => [type, ...(vocabulary().get(type)?.parents ?? []).flatMap(lineOf)];

function rangeOf(type: string, property: string): string[] | null {
  for (const each of lineOf(type)) {
    const range = vocabulary().get(each)?.properties.get(property);
    if (range) return range;
  }
  return null;
}

const texts = ['Text', 'URL', 'Date', 'DateTime', 'Time', 'Number', 'Integer', 'Boolean', 'string', 'Duration'];

const isAddress = (value: unknown) => typeof value === 'string' && URL.canParse(value) && /^https?:/.test(value);
const isMoment = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?$/.test(value);

/** What the rich results of search engines need of a type, by the properties' names; `isGood` where more than their presence is asked. */
const needed: Record<string, readonly (readonly [string, ((value: unknown) => boolean)?])[]> = {
  WebSite: [['name'], ['url', isAddress], ['potentialAction']],
  SearchAction: [['target'], ['query-input', (value) => value === 'required name=search_term_string']],
  Organization: [['name']],
  SportsEvent: [['name']],
  Place: [['name'], ['address']],
  ItemList: [['itemListElement', (value) => Array.isArray(value) && value.length > 0]],
  ListItem: [['position', (value) => Number.isInteger(value) && Number(value) > 0], ['name']],
  BreadcrumbList: [['itemListElement', (value) => Array.isArray(value) && value.length > 1]],
  ProfilePage: [['mainEntity']],
  Person: [['name']],
  Article: [
    ['headline', (value) => typeof value === 'string' && value.length <= 200],
    ['author'],
    ['datePublished', isMoment],
  ],
  DiscussionForumPosting: [['author'], ['datePublished', isMoment], ['text'], ['url', isAddress]],
  Review: [['author'], ['itemReviewed'], ['datePublished', isMoment]],
  Rating: [['ratingValue'], ['bestRating']],
  DefinedTerm: [['name'], ['description'], ['inDefinedTermSet']],
};

/** What only the outermost of its type needs. */
const neededOutside: Record<string, readonly (readonly [string, ((value: unknown) => boolean)?])[]> = {
  SportsEvent: [['startDate', isMoment], ['eventStatus'], ['url', isAddress], ['image', isAddress]],
  Organization: [
    ['url', isAddress],
    ['logo', isAddress],
  ],
};

/** What is wrong with a statement of JSON-LD by the vocabulary of schema.org and by what rich results need; empty when nothing is. */
export function schemaFaults(data: unknown, at = '', isOutside = true): string[] {
  if (typeof data !== 'object' || data === null) return [`${at}: no statement`];
  const statement = data as Record<string, unknown>;
  const type = statement['@type'];
  if (typeof type !== 'string' || !vocabulary().has(type)) return [`${at}: unknown type ${JSON.stringify(type)}`];
  const here = `${at}/${type}`;
  const faults: string[] = [];
  if (isOutside && statement['@context'] !== 'https://schema.org') faults.push(`${here}: no context`);
  for (const [property, isGood = (value: unknown) => value !== ''] of [
    ...(needed[type] ?? []),
    ...(isOutside ? (neededOutside[type] ?? []) : []),
  ]) {
    const value = statement[property];
    if (value === undefined || value === null || !isGood(value))
      faults.push(`${here}.${property}: ${JSON.stringify(value)}`);
  }
  for (const [property, value] of Object.entries(statement)) {
    if (property.startsWith('@') || property.endsWith('-input')) continue;
    const range = rangeOf(type, property);
    if (!range) {
      faults.push(`${here}.${property}: no such property`);
      continue;
    }
    for (const each of [value].flat()) faults.push(...valueFaults(each, range, `${here}.${property}`));
  }
  return faults;
}

function valueFaults(value: unknown, range: readonly string[], at: string): string[] {
  if (typeof value === 'object' && value !== null) {
    const type = String((value as Record<string, unknown>)['@type']);
    const isIn = lineOf(type).some((each) => range.includes(each));
    return [...(isIn ? [] : [`${at}: a ${type} is none of ${range.join(', ')}`]), ...schemaFaults(value, at, false)];
  }
  if (value === undefined || value === null || value === '') return [`${at}: empty`];
  // An enumeration is named by its address.
  const isNamed = isAddress(value) && String(value).startsWith('https://schema.org/');
  // The context of schema.org takes a text for the address of a thing where it may be referred to.
  const isReference = isAddress(value) && range.includes('IdReference');
  return isNamed || isReference || range.some((each) => texts.includes(each))
    ? []
    : [`${at}: ${JSON.stringify(value)} is none of ${range.join(', ')}`];
}

/** The statements of JSON-LD that stand in a page. */
export function statementsOf(html: string): Record<string, unknown>[] {
  return [...html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].flatMap(
    ([, text = '']) => JSON.parse(text) as Record<string, unknown>[],
  );
}
