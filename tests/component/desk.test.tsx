import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { OwnerAbandon } from '@/components/portfolios/owner-abandon';
import { PortfolioForm } from '@/components/portfolios/portfolio-form';
import { PostForm } from '@/components/posts/post-form';
import { Attempt } from '@/components/state/attempt';
import { ApiError, type Sent } from '@/components/state/api';
import { markViewer } from '@/components/state/interaction';
import { dropDraft, keepDraft, openDraft } from '@/components/state/drafts';
import { goOn } from '@/components/state/go-on';
import type { SafeHtml } from '@/lib/content/schema';
import { portfolioLimits } from '@/lib/portfolios/schema';
import { postLimits } from '@/lib/posts/schema';
import { asSent } from '../support/sent-calls';
import { managedPortfolio } from '../support/member-answers';

jest.mock('@/components/state/api', () => ({
  api: (...given: Parameters<typeof asSent>) => asked(...asSent(...given)),
  ApiError: class extends Error {},
}));
jest.mock('@/components/state/session', () => ({ reloadUser: async () => undefined }));
jest.mock('@/components/state/go-on', () => ({ goOn: jest.fn() }));

const asked = jest.fn<Promise<unknown>, [path: string, options?: Sent & { method?: string }]>();
const sentTo = (path: string) => asked.mock.calls.flatMap(([to, options]) => (to === path ? [options] : []));

const own = managedPortfolio({ reference: 'ann', name: 'Ann', premiumMembers: 2, description: 'Old.' });

const fill = (label: string, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

beforeEach(() => {
  asked.mockReset();
  (goOn as jest.Mock).mockReset();
});

describe('the form of a portfolio', () => {
  test('sends what was changed and nothing else', async () => {
    asked.mockResolvedValue({ ...own, description: 'New.' });
    render(<PortfolioForm portfolio={own} limits={portfolioLimits} />);
    fill('Description', 'New.');
    press('Save the portfolio');
    expect(await screen.findByText('The portfolio was saved.')).toBeVisible();
    expect(sentTo('/user/portfolio')).toEqual([
      {
        method: 'PUT',
        body: { reference: 'ann', description: 'New.' },
        idempotencyKey: expect.stringMatching(/^[0-9a-f]{24}$/),
      },
    ]);
  });

  test('writes nothing over that another window saved meanwhile, however often it saves', async () => {
    const elsewhere = { ...own, type: 2, description: 'Of another window.' };
    render(<PortfolioForm portfolio={{ ...own, picture: 'a.webp' }} limits={portfolioLimits} />);
    const saves = async (count: number) => waitFor(() => expect(sentTo('/user/portfolio')).toHaveLength(count));
    asked.mockResolvedValue({ ...elsewhere, picture: null });
    press('Remove the picture');
    await saves(1);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove the picture' })).toBeNull());
    fill('Name', 'Ann Two');
    asked.mockResolvedValue({ ...elsewhere, name: 'Ann Two', picture: null });
    press('Save the portfolio');
    await saves(2);
    expect(await screen.findByText('The portfolio was saved.')).toBeVisible();
    fill('Name', 'Ann Three');
    press('Save the portfolio');
    await saves(3);
    fill('Name', 'Ann');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save the portfolio' })).toBeEnabled());
    press('Save the portfolio');
    await saves(4);
    expect(sentTo('/user/portfolio').map((sent) => sent?.body)).toEqual([
      { reference: 'ann', picture: null },
      { reference: 'ann', name: 'Ann Two' },
      { reference: 'ann', name: 'Ann Three' },
      { reference: 'ann', name: 'Ann' },
    ]);
  });

  test('keeps what was typed when it is refused, and names the field', async () => {
    asked.mockRejectedValue(
      Object.assign(new Error('Refused.'), { fields: { name: 'the name needs 3 characters at least' } }),
    );
    render(<PortfolioForm portfolio={null} limits={portfolioLimits} />);
    fill('Name', 'Bobs tips');
    press('Create the portfolio');
    expect(await screen.findByText('The name needs 3 characters at least.')).toBeVisible();
    expect(screen.getByLabelText('Name')).toHaveValue('Bobs tips');
  });

  test('asks before a premium portfolio with members is hidden, and hides it once it was answered', async () => {
    asked.mockResolvedValue({ ...own, type: 3 });
    render(<PortfolioForm portfolio={{ ...own, type: 2 }} limits={portfolioLimits} />);
    const choose = (value: number) => fireEvent.change(screen.getByLabelText('Kind'), { target: { value } });
    const question = () =>
      screen.findByText(/2 members have a membership here\. Memberships end at once, and unused days are refunded\./);
    choose(3);
    press('Save the portfolio');
    expect(await question()).toHaveFocus();
    press('Keep it premium');
    expect(screen.getByLabelText('Kind')).toHaveValue('2');
    expect(screen.getByLabelText('Kind')).toHaveFocus();
    choose(3);
    press('Save the portfolio');
    await question();
    choose(2);
    expect(screen.queryByText(/Memberships end/)).toBeNull();
    choose(3);
    press('Save the portfolio');
    await question();
    expect(asked).not.toHaveBeenCalled();
    press('Hide the portfolio');
    expect(await screen.findByText('The portfolio was saved.')).toBeVisible();
    expect(sentTo('/user/portfolio')).toMatchObject([{ body: { reference: 'ann', visibility: 3 } }]);
    expect(screen.queryByText(/Memberships end/)).toBeNull();
  });

  test('hides a portfolio without members, and one that is public, without a question', async () => {
    for (const portfolio of [
      { ...own, type: 2 as const, premiumMembers: 0 },
      { ...own, type: 1 as const },
    ]) {
      asked.mockReset();
      asked.mockResolvedValue({ ...portfolio, type: 3 });
      const { unmount } = render(<PortfolioForm portfolio={portfolio} limits={portfolioLimits} />);
      fireEvent.change(screen.getByLabelText('Kind'), { target: { value: 3 } });
      press('Save the portfolio');
      expect(await screen.findByText('The portfolio was saved.')).toBeVisible();
      unmount();
    }
  });

  test('offers a personal portfolio no other kind, and a public one not to become personal', () => {
    const { unmount } = render(<PortfolioForm portfolio={{ ...own, type: 0 }} limits={portfolioLimits} />);
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'Personal: only you can see it',
    ]);
    unmount();
    render(<PortfolioForm portfolio={own} limits={portfolioLimits} />);
    expect(screen.getAllByRole('option')).toHaveLength(3);
  });
});

describe('abandoning', () => {
  test('takes two clicks and the name, and says which portfolio is next', async () => {
    asked.mockResolvedValue({ reference: 'ann', next: 'second' });
    render(<OwnerAbandon portfolio={own} nextName="The second" unpaid={[{ currencyId: 1, amountMinor: 1400 }]} />);
    press('Close this portfolio');
    expect(screen.getByText(/The second will be your current portfolio/)).toHaveTextContent(
      '2 members have a membership here',
    );
    expect(screen.getByText(/The second will be your current portfolio/)).toHaveTextContent(
      '£14.00 that you earned here is not paid out yet.',
    );
    fill('Type its name to close it: Ann', 'ann');
    press('Close for good');
    expect(await screen.findByText('This is not the name. Type: Ann')).toBeVisible();
    expect(asked).not.toHaveBeenCalled();
    fill('Type its name to close it: Ann', 'Ann');
    press('Close for good');
    await waitFor(() => expect(goOn).toHaveBeenCalledWith('/dashboard/services?abandoned=ann'));
    expect(sentTo('/user/portfolio/ann/abandon')).toHaveLength(1);
  });
});

const safe = (html: string) => html as SafeHtml;
const stored = {
  reference: 'abcdefghjk',
  version: 1,
  title: 'Old',
  body: 'Text',
  html: safe('<p>Text</p>'),
  editedAt: null,
  premiumOnly: true,
  tips: [],
};

const postForm = (more: Partial<Parameters<typeof PostForm>[0]> = {}) => (
  <PostForm
    portfolioReference="ann"
    readers={null}
    post={null}
    tips={[]}
    isMore={false}
    limits={postLimits}
    timeZone="Europe/London"
    {...more}
  />
);

describe('the form of a post', () => {
  test('keeps what is typed, brings it back, and forgets it once it is published', async () => {
    const { unmount } = render(postForm());
    await act(async () => markViewer('member'));
    fill('Title', 'A title');
    fill('Text', 'A text');
    await waitFor(
      async () =>
        expect((await openDraft('post:ann:new')).left?.values).toMatchObject({ title: ['A title'], body: ['A text'] }),
      { timeout: 3_000 },
    );
    unmount();
    asked.mockResolvedValue({ reference: 'abcdefghjk' });
    render(postForm());
    expect(await screen.findByText(/was restored/)).toBeVisible();
    expect(screen.getByLabelText('Title')).toHaveValue('A title');
    press('Publish the post');
    await waitFor(() => expect(goOn).toHaveBeenCalledWith('/tipster/ann/posts/abcdefghjk'));
    expect(sentTo('/user/portfolio/ann/posts/add-post')).toMatchObject([
      { method: 'POST', body: { title: 'A title', body: 'A text', premiumOnly: false, tips: [] } },
    ]);
    expect((await openDraft('post:ann:new')).left).toBeNull();
  });

  test('brings nothing back before it is known who writes', async () => {
    delete document.documentElement.dataset.viewer;
    await keepDraft('post:ann:new', { id: 'a', values: { title: ['Left'] }, savedAt: '2026-11-21T10:00:00.000Z' });
    render(postForm());
    await act(() => new Promise((later) => setTimeout(later, 50)));
    expect(screen.getByLabelText('Title')).toHaveValue('');
    await act(async () => markViewer('member'));
    expect(await screen.findByText(/was restored/)).toBeVisible();
    expect(screen.getByLabelText('Title')).toHaveValue('Left');
    await dropDraft('post:ann:new', 'a');
  });

  test('keeps the tips of a text that are older than those shown, each once however they come', async () => {
    const reference = 'oldtip2222';
    await keepDraft('post:ann:new', {
      id: 'a',
      values: { title: ['Left'], body: ['Text'], tips: [reference] },
      savedAt: '2026-11-21T10:00:00.000Z',
    });
    render(postForm({ isMore: true }));
    await act(async () => markViewer('member'));
    expect(await screen.findByLabelText(/An older tip, oldtip2222/)).toBeChecked();
    const older = {
      reference,
      publishedAt: '2026-11-01T10:00:00.000Z',
      legs: [],
      free: true,
      hidden: false,
      started: true,
    };
    let answer: (page: unknown) => void = () => undefined;
    asked.mockResolvedValueOnce({ items: [], next: 20 });
    asked.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    press('Show older tips');
    press('Reading…');
    await waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
    expect(screen.getByRole('button', { name: 'Reading…' })).toBeDisabled();
    await act(async () => answer({ items: [older, older], next: null }));
    expect(await screen.findByLabelText(/^A tip · /)).toBeChecked();
    expect(screen.queryByLabelText(/An older tip/)).toBeNull();
    asked.mockResolvedValue({ reference: 'abcdefghjk' });
    press('Publish the post');
    await waitFor(() => expect(goOn).toHaveBeenCalled());
    expect(sentTo('/user/portfolio/ann/posts/add-post')).toMatchObject([{ body: { tips: [reference] } }]);
  });

  test('edits the version that was read', async () => {
    asked.mockResolvedValue({ reference: 'abcdefghjk' });
    render(postForm({ post: { ...stored, version: 3 } }));
    await act(async () => undefined);
    press('Publish the change');
    await waitFor(() =>
      expect(sentTo('/user/portfolio/ann/posts/abcdefghjk')).toMatchObject([
        { method: 'PUT', body: { version: 3, title: 'Old', body: 'Text', premiumOnly: true, tips: [] } },
      ]),
    );
  });

  test('keeps what was typed before it was found what was left, and shows either', async () => {
    delete document.documentElement.dataset.viewer;
    await keepDraft('post:ann:new', {
      id: 'a',
      values: { title: ['Left'], body: ['Left text'] },
      savedAt: '2026-11-21T10:00:00.000Z',
    });
    const { container, unmount } = render(postForm());
    // As somebody does before the form is alive: nobody hears of it.
    (screen.getByLabelText('Title') as HTMLInputElement).value = 'Typed';
    await act(async () => markViewer('member'));
    expect(await screen.findByText('You have another unpublished text: “Left”. Both are kept.')).toBeVisible();
    expect(screen.getByLabelText('Title')).toHaveValue('Typed');
    press('Show the other text');
    expect(screen.getByLabelText('Title')).toHaveValue('Left');
    expect(screen.getByText(/“Typed”/)).toBeVisible();
    press('Show the other text');
    expect(screen.getByLabelText('Title')).toHaveValue('Typed');
    asked.mockResolvedValue({ reference: 'abcdefghjk' });
    fill('Text', 'Typed text');
    fireEvent.submit(container.querySelector('form') as HTMLFormElement);
    await waitFor(() => expect(goOn).toHaveBeenCalled());
    unmount();
    const { left } = await openDraft('post:ann:new');
    expect(left?.values).toMatchObject({ title: ['Left'], body: ['Left text'] });
    await dropDraft('post:ann:new', left?.id ?? '');
  });

  test('shows what a post says now to whoever began to edit what it said before', async () => {
    await keepDraft('post:ann:abcdefghjk', {
      id: 'a',
      values: { version: ['1'], title: ['Mine'], body: ['My text'] },
      savedAt: '2026-11-21T10:00:00.000Z',
    });
    asked.mockResolvedValue({ reference: 'abcdefghjk' });
    render(
      postForm({
        post: {
          ...stored,
          version: 2,
          title: 'Theirs',
          html: safe('<p>Their text</p>'),
          editedAt: '2026-11-21T11:00:00.000Z',
        },
      }),
    );
    await act(async () => markViewer('member'));
    const now = await screen.findByRole('region', { name: 'The post as it is now' });
    expect(now).toHaveTextContent('Theirs');
    expect(now).toHaveTextContent('Their text');
    expect(screen.getByLabelText('Title')).toHaveValue('Mine');
    expect(screen.getByLabelText('Text')).toHaveValue('My text');
    press('Publish the change');
    await waitFor(() =>
      expect(sentTo('/user/portfolio/ann/posts/abcdefghjk')).toMatchObject([
        { method: 'PUT', body: { version: 2, title: 'Mine', body: 'My text' } },
      ]),
    );
  });

  test('shows what a post says now when a change of it comes too late, and loses nothing', async () => {
    const refusal = Object.assign(new ApiError({ status: 409, text: 'Conflict', url: '' }), { status: 409 });
    asked
      .mockRejectedValueOnce(refusal)
      .mockResolvedValueOnce({ ...stored, version: 2, title: 'Theirs', html: '<p>Their text</p>' });
    render(postForm({ post: stored }));
    await act(async () => undefined);
    fill('Title', 'Mine');
    press('Publish the change');
    expect(await screen.findByRole('alert')).toHaveTextContent('The post has changed since you started this text.');
    expect(screen.getByRole('region', { name: 'The post as it is now' })).toHaveTextContent('Their text');
    expect(screen.getByLabelText('Title')).toHaveValue('Mine');
    expect(goOn).not.toHaveBeenCalled();
    asked.mockResolvedValue({ reference: 'abcdefghjk' });
    press('Publish the change');
    await waitFor(() => expect(goOn).toHaveBeenCalledWith('/tipster/ann/posts/abcdefghjk'));
    expect(
      sentTo('/user/portfolio/ann/posts/abcdefghjk').flatMap((sent) =>
        sent?.method === 'PUT' ? [(sent.body as { version: number }).version] : [],
      ),
    ).toEqual([1, 2]);
  });

  test('says any other refusal, and of an abandoned portfolio not that the post was changed', async () => {
    const refusal = Object.assign(new ApiError({ status: 409, text: 'Conflict', url: '' }), {
      status: 409,
      message: 'This portfolio was abandoned.',
    });
    asked.mockRejectedValueOnce(refusal).mockResolvedValueOnce(stored);
    render(postForm({ post: stored }));
    await act(async () => undefined);
    press('Publish the change');
    expect(await screen.findByRole('alert')).toHaveTextContent('This portfolio was abandoned.');
    expect(screen.queryByRole('region', { name: 'The post as it is now' })).toBeNull();
  });
});

describe('drafts', () => {
  test('of one place are kept apart by whose they are, the newest first', async () => {
    await keepDraft('here', { id: 'a', values: { title: ['A'] }, savedAt: '2026-11-21T10:00:00.000Z' });
    await keepDraft('here', { id: 'b', values: { title: ['B'] }, savedAt: '2026-11-21T10:01:00.000Z' });
    expect((await openDraft('here')).left?.id).toBe('b');
    await dropDraft('here', 'b');
    expect((await openDraft('here')).left?.id).toBe('a');
    expect((await openDraft('there')).left).toBeNull();
  });
});

test('an attempt has one name for one content', () => {
  const attempt = new Attempt();
  const first = attempt.keyFor({ a: 1 });
  expect([attempt.keyFor({ a: 1 }) === first, attempt.keyFor({ a: 2 }) === first]).toEqual([true, false]);
});
