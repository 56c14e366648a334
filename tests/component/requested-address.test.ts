/** @jest-environment node */
import path from 'node:path';
import { guest, member } from '@/lib/http/viewer';
import type { PageQuery } from '@/lib/pages/page';
import { pageViewer } from '@/lib/pages/page-viewer';
import { Role } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { routeTable, unauthorisedTarget } from '@/lib/route-table';

jest.mock('next/headers', () => ({ headers: async () => new Headers() }));
jest.mock('next/navigation', () => ({
  ...jest.requireActual<object>('next/navigation'),
  redirect: (address: string) => {
    throw new Error(`to ${address}`);
  },
}));
jest.mock('@/lib/pages/page-viewer', () => ({ pageViewer: jest.fn() }));

type Props = { params: Promise<Record<string, string>>; searchParams: Promise<PageQuery> };
type Page = { default: (props: Props) => Promise<unknown>; generateMetadata?: (props: Props) => Promise<unknown> };

const asked = { card: 'a/b c', skip: ['10', '20'], none: undefined };
const query = '?card=a%2Fb+c&skip=10&skip=20';
const unverified = member({ accountId: 1, role: Role.user, confirmed: false, pro: false, owns: [], subscribes: [] });

const pages = routeTable.filter(({ access }) => access === 'member' || access === 'owner');
const placeholder = /\{(\w+)\}/g;

/** Where the page leads somebody, and its title too where it is no fixed one. */
async function ledTo({ path: pattern }: { path: string }): Promise<string[]> {
  const file = path.join(process.cwd(), 'app/(main)', pattern.replace(placeholder, '[$1]'), 'page.tsx');
  const page = jest.requireActual<Page>(file);
  const params = Object.fromEntries([...pattern.matchAll(placeholder)].map(([, name = '']) => [name, '7']));
  const props = () => ({ params: Promise.resolve(params), searchParams: Promise.resolve(asked) });
  const reads = [page.default, ...(page.generateMetadata ? [page.generateMetadata] : [])];
  const ends = await Promise.all(
    reads.map((read) =>
      read(props()).then(
        () => null,
        (error: Error) => error.message,
      ),
    ),
  );
  return ends.filter((end) => end !== null);
}

test.each(pages)(
  'who must sign in or confirm an address before $path comes back with all that was asked for',
  async (route) => {
    const address = `${route.path.replace(placeholder, '7')}${query}`;
    jest.mocked(pageViewer).mockResolvedValue(guest());
    expect(new Set(await ledTo(route))).toEqual(new Set([`to ${unauthorisedTarget(address)}`]));
    jest.mocked(pageViewer).mockResolvedValue(unverified);
    expect(new Set(await ledTo(route))).toEqual(new Set([`to ${routes.verify({ redirect_after_verify: address })}`]));
  },
);

test('the pages of members and owners are found', () => {
  expect(pages.length).toBeGreaterThan(20);
});
