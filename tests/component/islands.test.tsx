import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Island } from '@/components/islands/island';
import { Islands } from '@/components/islands/islands';
import { pressPatienceMilliseconds, pressWhenThere } from '@/components/islands/presses';
import { showGuest } from '@/components/state/viewer';

const verified = jest.fn();
jest.mock('@/components/record/verify-in-browser', () => ({
  verifyWholeLedger: async () => {
    verified();
    return { ok: true, sentences: ['The whole record is verified.'] };
  },
}));

const page = (more: object = {}) => (
  <>
    <Island name="verifier" props={{ tip: null, total: 3, ...more }}>
      <button type="button">Verify the whole record now</button>
    </Island>
    <Islands />
  </>
);

const island = () => document.querySelector<HTMLElement>('[data-island]') as HTMLElement;

beforeEach(() => showGuest());

test('an island stands beside what the server made of it', async () => {
  render(page());
  expect(island().children).toHaveLength(1);
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Verify the whole record now' })).toHaveLength(2));
  expect(island().firstElementChild).toHaveAttribute('data-made');
});

test('a press before it was there is done once it is, once', async () => {
  const otherwise = jest.fn();
  render(page());
  pressWhenThere(island(), otherwise);
  pressWhenThere(island(), otherwise);
  expect(await screen.findByText('The whole record is verified.')).toBeVisible();
  expect(verified).toHaveBeenCalledTimes(1);
  expect(otherwise).not.toHaveBeenCalled();
});

test('a press waits for a button that an island shows long after it came, and never takes the server’s', async () => {
  const pressed: string[] = [];
  document.body.innerHTML = '<div id="late"><span data-made=""><button>made</button></span><p>No button yet.</p></div>';
  document.body.addEventListener('click', ({ target }) => pressed.push((target as Element).textContent ?? ''));
  const late = document.getElementById('late') as HTMLElement;
  pressWhenThere(late, () => pressed.push('given up'));
  await act(async () => undefined);
  expect(pressed).toEqual([]);
  await act(async () => late.insertAdjacentHTML('beforeend', '<button>own</button>'));
  expect(pressed).toEqual(['own']);
});

test('a press on what never comes is given up', () => {
  jest.useFakeTimers();
  const otherwise = jest.fn();
  pressWhenThere(document.createElement('div'), otherwise);
  jest.advanceTimersByTime(pressPatienceMilliseconds - 1);
  expect(otherwise).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(otherwise).toHaveBeenCalledTimes(1);
  jest.useRealTimers();
});

test('an island that gets other props is another', async () => {
  const { rerender } = render(page());
  await screen.findAllByRole('button');
  rerender(page({ tip: 'tip-3' }));
  expect(await screen.findByRole('button', { name: 'Verify this tip now' })).toBeVisible();
});

test('an island of which nothing is known leaves the page as it is', async () => {
  document.body.insertAdjacentHTML('beforeend', '<div data-island="of a later release" data-props="{}">Made</div>');
  await act(async () => void render(<Islands />));
  expect(screen.getByText('Made')).toBeVisible();
  fireEvent.click(screen.getByText('Made'));
});

test('an island with nothing in it yet comes when what has a box around it is near', async () => {
  const observed: Element[] = [];
  const Known = globalThis.IntersectionObserver;
  globalThis.IntersectionObserver = class {
    observe = (element: Element) => void observed.push(element);
    disconnect = () => undefined;
  } as unknown as typeof IntersectionObserver;
  try {
    render(
      <main>
        <div data-markup="">
          <Island name="live odds" props={{} as never} />
        </div>
        <Islands />
      </main>,
    );
    await act(async () => undefined);
    expect(observed).toEqual([screen.getByRole('main')]);
  } finally {
    globalThis.IntersectionObserver = Known;
  }
});
