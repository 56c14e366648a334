import {
  cleanUpMilliseconds,
  expiryMilliseconds,
  forgetTransfers,
  maxSubKeys,
  transfer,
} from '@/components/state/transfer';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  forgetTransfers();
  jest.advanceTimersByTime(cleanUpMilliseconds);
  jest.useRealTimers();
});

const asking = () => {
  let count = 0;
  return jest.fn(async () => (count += 1));
};

describe('a transfer of state', () => {
  it('needs a key and a url', async () => {
    await expect(transfer({ key: '', url: '/a', isOwn: false }, asking())).rejects.toThrow(
      'A state key must be provided',
    );
    await expect(transfer({ key: 'a', url: '', isOwn: false }, asking())).rejects.toThrow('A url must be provided');
  });

  it.each([
    [false, expiryMilliseconds],
    [true, expiryMilliseconds / 2],
  ])('is good for ten minutes, for half of them where it is somebody’s own (%s)', async (isOwn, good) => {
    const ask = asking();
    const given = { key: 'tips', url: '/tips', isOwn };
    expect(await transfer(given, ask)).toBe(1);
    jest.advanceTimersByTime(good - 1);
    expect(await transfer(given, ask)).toBe(1);
    jest.advanceTimersByTime(1);
    expect(await transfer(given, ask)).toBe(2);
  });

  it('is asked for once by many at the same time, and again when it failed', async () => {
    const ask = asking();
    const given = { key: 'tips', url: '/tips', isOwn: true };
    expect(await Promise.all([transfer(given, ask), transfer(given, ask)])).toEqual([1, 1]);
    const failing = jest.fn(() => Promise.reject(new Error('no')));
    await expect(transfer({ ...given, url: '/other' }, failing)).rejects.toThrow('no');
    await expect(transfer({ ...given, url: '/other' }, failing)).rejects.toThrow('no');
    expect(failing).toHaveBeenCalledTimes(2);
  });

  it('keeps four under a key, the newest, and cleans up what is over', async () => {
    const ask = asking();
    for (let place = 0; place <= maxSubKeys; place += 1)
      await transfer({ key: 'tips', url: `/${place}`, isOwn: true }, ask);
    await transfer({ key: 'tips', url: '/1', isOwn: true }, ask);
    expect(ask).toHaveBeenCalledTimes(maxSubKeys + 1);
    await transfer({ key: 'tips', url: '/0', isOwn: true }, ask);
    expect(ask).toHaveBeenCalledTimes(maxSubKeys + 2);
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(expiryMilliseconds / 2 + cleanUpMilliseconds);
    expect(jest.getTimerCount()).toBe(0);
  });
});
