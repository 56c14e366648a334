import { Failure, type FailureKind, isFailure } from '@/lib/platform/errors';
import { singleton } from '@/lib/platform/singleton';

describe('a Failure', () => {
  const statuses: [FailureKind, number][] = [
    ['invalid', 400],
    ['unauthorised', 401],
    ['forbidden', 403],
    ['missing', 404],
    ['conflict', 409],
    ['locked', 423],
    ['too-many', 429],
    ['unavailable', 503],
  ];

  test.each(statuses)('of kind %s has the status %d', (kind, status) => {
    expect(new Failure(kind, 'No.').status).toBe(status);
  });

  test('is an error with a sentence and the fields concerned', () => {
    const failure = new Failure('invalid', 'Write a name.', { name: 'is missing' });
    expect(failure).toBeInstanceOf(Error);
    expect([failure.name, failure.message, failure.fields, new Failure('missing', 'No.').fields]).toEqual([
      'Failure',
      'Write a name.',
      { name: 'is missing' },
      {},
    ]);
  });

  test('is known as one, by its kind when one is named', () => {
    expect([
      isFailure(new Failure('missing', 'No.')),
      isFailure(new Failure('missing', 'No.'), 'missing'),
      isFailure(new Failure('missing', 'No.'), 'invalid'),
    ]).toEqual([true, true, false]);
  });

  test('is known across module graphs, where its class is another', () => {
    let other: Error | null = null;
    jest.isolateModules(() => {
      const again = jest.requireActual<{ Failure: typeof Failure }>('@/lib/platform/errors');
      other = new again.Failure('conflict', 'No.');
    });
    expect([other !== null && (other as object) instanceof Failure, isFailure(other, 'conflict')]).toEqual([
      false,
      true,
    ]);
  });

  test('is nothing else', () => {
    for (const other of [
      new Error('Failure'),
      { name: 'Failure', kind: 'missing' },
      null,
      undefined,
      'Failure',
      new TypeError('missing'),
    ])
      expect(isFailure(other)).toBe(false);
  });
});

describe('a singleton', () => {
  test('is made once for the process, whatever the module graph', () => {
    const make = jest.fn(() => ({}));
    const one = singleton('test', make);
    let other: unknown;
    jest.isolateModules(() => {
      other = jest.requireActual<{ singleton: typeof singleton }>('@/lib/platform/singleton').singleton('test', make);
    });
    expect([other === one, make.mock.calls.length]).toEqual([true, 1]);
    expect(singleton('another', make)).not.toBe(one);
  });

  test('may be undefined and is made once all the same', () => {
    const make = jest.fn(() => undefined);
    singleton('nothing', make);
    singleton('nothing', make);
    expect(make).toHaveBeenCalledTimes(1);
  });
});
