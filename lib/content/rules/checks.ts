import { routes } from '@/lib/routes';
import type { ContentDraft, ContentChecks } from '../schema/versions';
import { type ContentKind, contentKinds } from '../schema/pages';

/** What a check of a page looks at beside the page: the addresses of content that are there, summaries of other pages, known terms, and which bookmakers are fictional by their ids. */
export type Surroundings = {
  addresses: ReadonlySet<string>;
  summaries: ReadonlySet<string>;
  terms: ReadonlySet<string>;
  fictional: ReadonlyMap<number, boolean>;
  whyNoPage: WhyNoPage;
};

/** Why an address of the site outside the sections of content leads nowhere, after the words “The link … ”; null when it leads to a page. */
export type WhyNoPage = (path: string) => string | null;

const isSection = (address: string) => contentKinds.some((kind) => address.startsWith(`/${kind}/`));

function whyLinkFails(
  address: string,
  { addresses, whyNoPage }: Pick<Surroundings, 'addresses' | 'whyNoPage'>,
): string | null {
  const [at = ''] = address.split(/[?#]/);
  if (/^\/api\/images\//.test(at) || addresses.has(at)) return null;
  return isSection(at) ? (whyNoPage(at) ?? nowhere) : whyNoPage(at);
}

const nowhere = 'leads to no page of this site; correct it or take it out';

// Product §9: a text never promises what the site does not do. Warnings about frauds have to name them.
const promises = [
  /\bguarantee(?:d|s)?\s+(?:profits?|wins?|winners?|winnings|returns?|income)\b/i,
  /\brisk[- ]free\b/i,
  /\bsure (?:bets?|things?|wins?|winners?)\b/i,
  /\b(?:cannot|can['’]t|never) lose\b/i,
  /\b(?:easy|free) money\b/i,
  /\bbeat the bookies\b/i,
  /\b100\s?% (?:winners?|safe|accurate|win rate)\b/i,
];

const linkPattern = /\]\((\/[^)\s]*)/g;

const linksIn = (body: string) => [...new Set([...body.matchAll(linkPattern)].map(([, address = '']) => address))];

/** The links of a text within the site, and the terms that it names to see also, that lead to no page; as addresses. */
export function brokenLinks(
  body: string,
  seeAlso: readonly string[],
  around: Pick<Surroundings, 'addresses' | 'whyNoPage'>,
): string[] {
  const named = [...linksIn(body), ...seeAlso.map((term) => routes.content('betting-terms', term))];
  return [...new Set(named)].filter((address) => whyLinkFails(address, around) !== null);
}

/** What keeps a page from being published and what its author should look at: links that lead nowhere, unknown terms and bookmakers, a summary that another page has, promises. */
export function checkContent(
  kind: ContentKind,
  reference: string,
  { title, summary, body, demo, facts }: ContentDraft,
  around: Surroundings,
): ContentChecks {
  const addresses = new Set([...around.addresses, routes.content(kind, reference)]);
  const problems = linksIn(body).flatMap((address) => {
    const why = whyLinkFails(address, { addresses, whyNoPage: around.whyNoPage });
    return why === null ? [] : [`The link ${address} ${why}.`];
  });
  if (around.summaries.has(summary)) problems.push('Another page has the same summary; write one of its own.');
  const { seeAlso, bookmakerId } = facts as { seeAlso?: string[]; bookmakerId?: number };
  for (const term of seeAlso ?? [])
    if (!around.terms.has(term)) problems.push(`There is no term ${term}; take it out of the terms to see also.`);
  if (bookmakerId !== undefined) {
    const fictional = around.fictional.get(bookmakerId);
    if (fictional === undefined) problems.push(`There is no bookmaker ${bookmakerId}; choose one of the list.`);
    else if (fictional !== demo)
      problems.push(
        fictional
          ? 'The bookmaker is fictional; mark the review as demo data.'
          : 'The bookmaker is real; its review cannot be demo data.',
      );
  }
  const warnings = kind === 'betting-scams' ? [] : promised([title, summary, body]);
  return { problems, warnings };
}

function promised(texts: readonly string[]): string[] {
  const said = texts.flatMap((text) => promises.flatMap((pattern) => pattern.exec(text)?.[0] ?? []));
  return [...new Set(said)].map(
    (words) => `“${words}” may be read as a promise that nobody can keep; see that the sentence says the opposite.`,
  );
}
