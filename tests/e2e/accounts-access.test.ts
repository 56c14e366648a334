import type { APIRequestContext } from '@playwright/test';
import { memberCookieName, sessionCookieName } from '@/lib/accounts/schema';
import { routes } from '@/lib/routes';
import { type AccessPeople, known, type Known, lockedText, strangers, type Visitor } from '../support/access-kinds';
import { type PageAnswer, type PageKind, pageMatrix, type ReadKind, readMatrix } from '../support/access-matrix';
import { pagesByKind, readPagesByKind, sections } from '../support/access-pages';
import { nameOf, test } from '../support/access-visitor';
import { addressOfRow } from '../support/row-addresses';
import type { VisitedSite } from '../support/site-setup';
import { analyses, portfolios } from '../support/site-tips';
import { expect } from '../support/visitor';

type Answer = { status: number; location: string | null };
type PageRow = { path: string; kind: PageKind };

const rows: readonly PageRow[] = (Object.entries(pagesByKind) as [PageKind, readonly string[]][]).flatMap(
  ([kind, paths]) => paths.map((path) => ({ path, kind })),
);
const locked = [lockedText, analyses.members];
const readKindOf = new Map(
  (Object.entries(readPagesByKind) as [ReadKind, readonly string[]][]).flatMap(([kind, paths]) =>
    paths.map((path) => [path, kind] as const),
  ),
);

const isStranger = (visitor: Visitor): boolean => (strangers as readonly string[]).includes(visitor);
const rowOf = (visitor: Visitor) => (isStranger(visitor) ? 'guest' : (visitor as Known));

async function contentOf(request: APIRequestContext): Promise<Record<string, string>> {
  const found = sections.map(
    async (section) =>
      [
        section,
        new RegExp(`href="/${section}/([a-z0-9-]+)"`).exec(await (await request.get(`/${section}`)).text())?.[1] ?? '',
      ] as const,
  );
  return Object.fromEntries(await Promise.all(found));
}

const ownersKinds: readonly PageKind[] = ['owner', 'owner, open path'];

/** An address of each row that exists: public pages of the site's own tipsters, the owner's pages and what is for members of the owner of this test. */
function addressOf(
  { path, kind }: PageRow,
  site: VisitedSite,
  people: AccessPeople,
  pages: Record<string, string>,
): string {
  const isLockedTip = readKindOf.get(path) === 'by role';
  const isOwned = ownersKinds.includes(kind) || (kind === 'reading' && !isLockedTip);
  const tipster = isLockedTip ? portfolios.premium : portfolios.public;
  return addressOfRow(
    path
      .replace('{tipReference}', isLockedTip ? site.tips.members : '{tipReference}')
      .replace('{order}', kind === 'bought' ? people.order : '{order}')
      .replace('{number}', people.receipt),
    site,
    {
      portfolio: isOwned ? people.reference : tipster.reference,
      post: isOwned ? people.post : site.posts.open,
      pages,
    },
  );
}

/** Spec §2.4: what an answer of the matrix is at an address. Pages that are somebody's own name that member and nobody else. */
function answerAt(answer: PageAnswer, address: string): Answer {
  const asked = encodeURIComponent(address);
  const sent = (location: string): Answer => ({ status: 307, location });
  return {
    seen: { status: 200, location: null },
    own: { status: 200, location: null },
    missing: { status: 404, location: null },
    login: sent(`/login?redirect_to=${asked}`),
    verify: sent(`/register/verify?redirect_after_verify=${asked}`),
    dashboard: sent('/dashboard'),
    factor: sent(`/admin/second-factor?redirect_to=${asked}`),
    admin: sent('/admin'),
  }[answer];
}

/** Whether somebody finds at an address what is for members. */
function isOpenAt({ path }: PageRow, visitor: Visitor): boolean {
  const kind = readKindOf.get(path);
  return kind !== undefined && readMatrix[rowOf(visitor)][kind] === 'yes';
}

/** The words of a page: without its scripts, which carry what differs by request. */
const wordsOf = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

/** Whether a name stands in the text by itself: "owner-1" is no part of "other-owner-1". */
const holdsName = (text: string, name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text);

async function ask(
  request: APIRequestContext,
  address: string,
  visitor: Visitor,
  people: AccessPeople,
): Promise<Answer & { names: readonly string[]; html: string }> {
  const { cookie = null, bearer = null } = people.credentials[visitor] ?? {};
  const headers = {
    ...(cookie && { cookie: `${sessionCookieName}=${cookie}; ${memberCookieName}=1` }),
    ...(bearer && { authorization: `Bearer ${bearer}` }),
  };
  const response = await request.get(address, { headers, maxRedirects: 0 });
  const html = await response.text();
  const names = [...known, 'deleted' as const]
    .map((each) => nameOf(each, people))
    .filter((name) => holdsName(html, name));
  return {
    status: response.status(),
    location: response.headers().location?.replace(/^https?:\/\/[^/]+/, '') ?? null,
    names,
    html,
  };
}

/** Who reads by what they bought of the portfolio: that they do is asked of the calls, and seen in the journey of a member. */
const buyers: readonly Visitor[] = ['trial', 'active', 'past due', 'cancelled'];

/** What guests were shown; a page may have moved on since. */
const guestWords = new Map<string, string>();

async function isAsForGuests(request: APIRequestContext, address: string, words: string, people: AccessPeople) {
  if (guestWords.get(address) === words) return true;
  const { html } = await ask(request, address, 'guest', people);
  guestWords.set(address, wordsOf(html));
  return wordsOf(html) === words;
}

for (const visitor of [...known, ...strangers]) {
  test(`every page answers as it should to the visitor: ${visitor}`, async ({ request, site, people }) => {
    const pages = await contentOf(request);
    const [got, wanted]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
    const differs: string[] = [];
    for (const row of rows) {
      const address = addressOf(row, site, people, pages);
      const { html, names, ...answer } = await ask(request, address, visitor, people);
      // A page that is one's own may or may not say one's name; it never says another's. Lists of staff name everybody.
      const found = locked.some((text) => html.includes(text));
      const isTold = row.kind === 'staff' && answer.status === 200;
      // News may be on their way, and the clock ends what was bought of a portfolio that is hidden.
      const mayLack = row.path === '/dashboard/notifications' || buyers.includes(visitor);
      const isOpen = isOpenAt(row, visitor) && (found || !mayLack);
      const others = isTold ? [] : names.filter((name) => name !== nameOf(visitor, people));
      got[address] = { ...answer, others, locked: found };
      const want = answerAt(pageMatrix[rowOf(visitor)][row.kind], address);
      wanted[address] = { ...want, others: [], locked: isOpen };
      if (row.kind !== 'everybody' || visitor === 'guest') continue;
      if (!(await isAsForGuests(request, address, wordsOf(html), people))) differs.push(address);
    }
    expect(got).toEqual(wanted);
    expect(differs).toEqual([]);
  });
}

test('what is for members stands on no public page, whoever asks', async ({ request, site, people }) => {
  const own = routes.portfolio(people.reference);
  const addresses = [own, `${own}/posts`, routes.post(people.reference, people.post)];
  for (const visitor of [...known, ...strangers]) {
    for (const address of [...addresses, `/tipster/${portfolios.premium.reference}/tips/${site.tips.members}`]) {
      const { status, html } = await ask(request, address, visitor, people);
      expect([visitor, address, status, locked.some((text) => html.includes(text))]).toEqual([
        visitor,
        address,
        200,
        false,
      ]);
    }
  }
});

test('the pages that are a member’s own hold what is theirs', async ({ request, people }) => {
  for (const visitor of known.filter((kind) => kind !== 'unverified')) {
    const { status, names } = await ask(request, '/dashboard/settings', visitor, people);
    expect({ visitor, status, names }).toEqual({ visitor, status: 200, names: [nameOf(visitor, people)] });
  }
  const services = await ask(request, '/dashboard/services', 'owner', people);
  expect(services.html).toContain(people.reference);
  const others = await ask(request, '/dashboard/services', 'other owner', people);
  expect(others.html.includes(people.reference)).toBe(false);
});

test('nothing is left of the name of somebody who is deleted', async ({ request, people }) => {
  const { html } = await ask(request, '/dashboard', 'deleted', people);
  expect(html).not.toContain(nameOf('deleted', people));
});
