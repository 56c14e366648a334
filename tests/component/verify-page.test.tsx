/** @jest-environment node */
import { renderToStaticMarkup } from 'react-dom/server';
import VerifyPage from '@/app/(bare)/register/verify/page';
import type { FormFlash } from '@/lib/http/form-flash';
import { guest } from '@/lib/http/viewer';
import { readFlash } from '@/lib/pages/page-viewer';

jest.mock('next/navigation', () => ({ redirect: jest.fn() }));
jest.mock('@/lib/pages/page-viewer', () => ({ pageViewer: async () => guest(), readFlash: jest.fn() }));

const asked = 'If this address waits to be confirmed, a new code is on its way to it';

/** The two forms of the page, that of the code and that which asks for another one. */
async function formsOf(sent: string | undefined, flash?: FormFlash): Promise<string[]> {
  jest.mocked(readFlash).mockImplementation(async (call) => (flash?.call === call ? flash : null));
  const page = await VerifyPage({ searchParams: Promise.resolve(sent === undefined ? {} : { sent }) });
  return renderToStaticMarkup(page).split('<form').slice(1, 3);
}

const refusalOf = (call: string): FormFlash => ({
  call,
  message: 'It could not be taken.',
  fields: { emailAddress: 'Write an e-mail address.' },
  values: { emailAddress: 'carol@' },
});

test('without script, whoever asked for another code reads so beside that form', async () => {
  const [first, second] = await formsOf('1');
  expect(second).toContain(asked);
  expect(first).not.toContain(asked);
  expect((await formsOf(undefined)).join('')).not.toContain(asked);
});

test.each([
  ['/account/verify-code', 0],
  ['/account/resend-code', 1],
])(
  'without script, what %s was refused for stands in its own form, and no word of a code beside it',
  async (call, at) => {
    const forms = await formsOf('1', refusalOf(call));
    for (const text of ['It could not be taken.', 'Write an e-mail address.'])
      expect(forms.map((form) => form.includes(text))).toEqual([at === 0, at === 1]);
    expect(forms[1]).toContain('value="carol@"');
    expect(forms.join('')).not.toContain(asked);
  },
);
