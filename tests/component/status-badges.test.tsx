import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { renderToStaticMarkup } from 'react-dom/server';
import { Islands } from '@/components/islands/islands';
import { StatusBadges } from '@/components/shell/status-badges';
import { StatusPlace } from '@/components/shell/status-place';
import { isChunkFailure, watchChunkFailures } from '@/components/start/chunk-failure';
import { chunkFailureMessage } from '@/components/start/chunk-failure-message';
import { isOnlineAtom } from '@/components/state/connection';
import { updateReadyAtom } from '@/components/state/version';

const refreshPage = jest.fn();
jest.mock('@/components/state/version-refresh', () => ({
  ...jest.requireActual<object>('@/components/state/version-refresh'),
  refreshPage: () => refreshPage() as unknown,
}));

const store = getDefaultStore();

beforeEach(() => {
  store.set(isOnlineAtom, true);
  store.set(updateReadyAtom, false);
  refreshPage.mockClear();
  document.body.replaceChildren();
  delete document.documentElement.dataset.criticalError;
});

afterEach(() => jest.restoreAllMocks());

describe('the badges', () => {
  it('have a place on the page that is read out when it changes, empty when the server makes it', () => {
    expect(renderToStaticMarkup(<StatusPlace />)).toMatch(/^<div role="status"[^>]*><div [^>]*><\/div><\/div>$/);
  });

  it('are put into that place, and into the one of the next page', async () => {
    store.set(isOnlineAtom, false);
    const page = (name: string) => (
      <>
        <header key={name} aria-label={name}>
          <StatusPlace />
        </header>
        <Islands />
      </>
    );
    const { rerender } = render(page('one'));
    expect(await within(screen.getByRole('banner', { name: 'one' })).findByText('Offline')).toBeInTheDocument();
    rerender(page('another'));
    expect(await within(screen.getByRole('banner', { name: 'another' })).findByText('Offline')).toBeInTheDocument();
    expect(screen.getAllByText('Offline')).toHaveLength(1);
  });

  it('say nothing while there is a connection and no newer version', () => {
    const { container } = render(<StatusBadges />);
    expect(container).toBeEmptyDOMElement();
  });

  it('say that the connection is lost, until it is back', () => {
    render(<StatusBadges />);
    act(() => store.set(isOnlineAtom, false));
    expect(screen.getByText('Offline')).toBeInTheDocument();
    act(() => store.set(isOnlineAtom, true));
    expect(screen.queryByText('Offline')).not.toBeInTheDocument();
  });

  it('offer the update, which loads the page anew', () => {
    store.set(updateReadyAtom, true);
    render(<StatusBadges />);
    fireEvent.click(screen.getByRole('button', { name: /^Update Ready/ }));
    expect(refreshPage).toHaveBeenCalledTimes(1);
  });
});

describe('a part of the site that cannot be loaded', () => {
  const onFailure = jest.fn();
  let stop: () => void;

  beforeEach(() => {
    onFailure.mockClear();
    stop = watchChunkFailures(onFailure);
  });
  afterEach(() => stop());

  const failed = (tag: 'script' | 'img', address: string) => {
    const element = document.createElement(tag);
    element.setAttribute('src', address);
    // jsdom would run a script that it is given; only its failure is wanted.
    element.setAttribute('type', 'text/plain');
    document.body.append(element);
    element.dispatchEvent(new Event('error'));
  };
  const rejected = (reason: unknown) =>
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
  const chunkError = () =>
    Object.assign(new Error('Loading chunk 117 failed.\n(error: /_next/static/chunks/117-6a7b.js)'), {
      name: 'ChunkLoadError',
    });

  it('raises the flag and an alert with the words of the specification and a way out, once', () => {
    failed('script', '/_next/static/chunks/117-6a7b.js');
    rejected(chunkError());
    expect(document.documentElement).toHaveAttribute('data-critical-error');
    expect(screen.getAllByRole('alert')).toHaveLength(1);
    expect(screen.getByRole('alert')).toHaveTextContent(
      'Loading chunk failed: Could not load a key JavaScript file. Please refresh the page.',
    );
    expect(onFailure).toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button', { name: 'Refresh the page' }));
    expect(refreshPage).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['an import that is not caught', () => rejected(chunkError())],
    ['an error that React did not catch', () => window.dispatchEvent(new ErrorEvent('error', { error: chunkError() }))],
  ])('is seen by %s', (_, fail) => {
    fail();
    expect(screen.getByRole('alert')).toHaveTextContent(chunkFailureMessage);
  });

  it.each([
    ['a script of somebody else', () => failed('script', 'https://ads.example/ads.js')],
    ['a picture', () => failed('img', '/images/logo.svg')],
    ['another error', () => rejected(new TypeError('x is undefined'))],
    ['a refusal that is no error', () => rejected('no')],
  ])('is not %s', (_, fail) => {
    fail();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('is no surprise while offline', () => {
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    failed('script', '/_next/static/chunks/117-6a7b.js');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('is known by the names that bundlers give it', () => {
    expect(
      [chunkError(), new Error('Loading CSS chunk 4 failed.'), new Error('Loading failed')].map(isChunkFailure),
    ).toEqual([true, true, false]);
  });
});
