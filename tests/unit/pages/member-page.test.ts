import { member } from '@/lib/http/viewer';
import { readMemberViewer } from '@/lib/pages/member-page';
import { pageViewer } from '@/lib/pages/page-viewer';
import { Role } from '@/lib/reference/schema';

const sent = new Headers();

jest.mock('next/headers', () => ({ headers: async () => sent }));
jest.mock('next/navigation', () => ({
  redirect: (address: string) => {
    throw new Error(address);
  },
}));
jest.mock('@/lib/pages/page-viewer', () => ({ pageViewer: jest.fn() }));

const unverified = member({ accountId: 1, role: Role.user, confirmed: false, pro: false, owns: [], subscribes: [] });

beforeEach(() => {
  jest.mocked(pageViewer).mockResolvedValue(unverified);
  sent.set('host', 'tipledger.example');
  sent.delete('referer');
});

test.each([
  ['another page', 'https://tipledger.example/tipster?sportId=1', '/dashboard/settings'],
  ['nowhere', null, '/dashboard/settings'],
  ['the contact page', 'https://tipledger.example/contact-us', '/dashboard'],
  ['the contact page with a query', 'https://tipledger.example/contact-us?a=b', '/dashboard'],
  ['another site', 'https://other.example/contact-us', '/dashboard/settings'],
  ['no address', 'contact-us', '/dashboard/settings'],
])(
  'an unverified member who comes to a private page from %s goes on by the specification once verified',
  async (_, from, to) => {
    if (from) sent.set('referer', from);
    await expect(readMemberViewer('/dashboard/settings', {})).rejects.toThrow(
      `/register/verify?redirect_after_verify=${encodeURIComponent(to)}`,
    );
  },
);
