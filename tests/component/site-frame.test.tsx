import { render, screen } from '@testing-library/react';
import { SiteFrame } from '@/app/_sections/site-frame';
import { env } from '@/lib/platform/env';

jest.mock('next/navigation', () => ({ usePathname: () => '/football', useRouter: () => ({ prefetch: jest.fn() }) }));
jest.mock('@/lib/platform/env', () => ({ env: jest.fn() }));

const show = (preview: 'on' | 'off') => {
  jest.mocked(env).mockReturnValue({ TIPLEDGER_PREVIEW: preview } as ReturnType<typeof env>);
  render(<SiteFrame of="/football">Text</SiteFrame>);
  return screen.queryByRole('complementary', { name: 'About this site' });
};

test('says on every page that the site is a preview, and nothing where it is none', () => {
  expect(show('off')).not.toBeInTheDocument();
  expect(show('on')).toHaveTextContent('Preview: everybody can read what is for members on this site.');
});
