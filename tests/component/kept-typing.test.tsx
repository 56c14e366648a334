import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { keepTyped, restoreTyped, whenFormsAlive } from '@/components/state/kept-typing';

function Page() {
  const [held, setHeld] = useState('');
  return (
    <>
      <form>
        <input name="q" aria-label="Search" />
      </form>
      <form>
        <input name="stake" type="number" aria-label="Stake" defaultValue={10} />
        <input name="title" aria-label="Title" value={held} onChange={({ target }) => setHeld(target.value)} />
        <textarea name="text" aria-label="Text" defaultValue="" />
        <input name="password" type="password" aria-label="Password" />
        <input name="code" aria-label="Code" autoComplete="one-time-code" />
        <output>{held}</output>
      </form>
    </>
  );
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

beforeEach(() => {
  sessionStorage.clear();
  window.history.replaceState(null, '', '/dashboard/settings');
});

function typeAll(): void {
  const { unmount } = render(<Page />);
  type('Stake', '12.5');
  type('Title', 'A title');
  type('Text', 'Line one\nLine two');
  type('Password', 'three plain otters');
  type('Code', '123456');
  keepTyped('bob');
  unmount();
}

test('what was typed stands in its fields again, also where React holds the value', () => {
  typeAll();
  render(<Page />);
  act(() => expect(restoreTyped('bob')).toBe(true));
  expect(screen.getByLabelText('Stake')).toHaveValue(12.5);
  expect(screen.getByLabelText('Title')).toHaveValue('A title');
  expect(screen.getByText('A title')).toBeInTheDocument();
  expect(screen.getByLabelText('Text')).toHaveValue('Line one\nLine two');
  expect(restoreTyped('bob')).toBe(false);
});

test('passwords and codes are kept nowhere', () => {
  typeAll();
  expect(JSON.stringify({ ...sessionStorage })).not.toMatch(/otters|123456/);
});

test('nobody else and no other page is given it', () => {
  typeAll();
  render(<Page />);
  expect(restoreTyped('ann')).toBe(false);
  window.history.replaceState(null, '', '/dashboard/watchlist');
  expect(restoreTyped('bob')).toBe(false);
  window.history.replaceState(null, '', '/dashboard/settings');
  act(() => expect(restoreTyped('bob')).toBe(true));
});

test('a page on which nothing was typed is given nothing back', () => {
  const { unmount } = render(<Page />);
  keepTyped('bob');
  unmount();
  render(<Page />);
  expect(restoreTyped('bob')).toBe(false);
});

test('what was typed waits until every form is alive', async () => {
  typeAll();
  render(<Page />);
  const form = document.forms[1] as HTMLFormElement;
  form.dataset.waits = '';
  const listener = jest.fn(() => void restoreTyped('bob'));
  const stop = whenFormsAlive(listener);
  expect(listener).not.toHaveBeenCalled();
  await act(async () => void delete form.dataset.waits);
  expect(listener).toHaveBeenCalledTimes(1);
  expect(screen.getByLabelText('Stake')).toHaveValue(12.5);
  stop();
});
