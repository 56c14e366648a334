import fc from 'fast-check';
import { hasTile, parseTilePath, tilePath, tilesOf } from '@/lib/record/rules/tiles';

describe('the path of a tile', () => {
  it.each([
    ['0/000', { level: 0, index: 0, width: 256 }],
    ['63/999', { level: 63, index: 999, width: 256 }],
    ['1/x001/x234/067', { level: 1, index: 1_234_067, width: 256 }],
    ['entries/x001/000.p/7', { level: 'entries', index: 1000, width: 7 }],
  ] as const)('%s is read and written alike', (path, place) => {
    expect(parseTilePath(path)).toEqual(place);
    expect(tilePath(place)).toBe(path);
  });

  it('is one for each tile', () => {
    const place = fc.record({
      level: fc.oneof(fc.constant('entries' as const), fc.integer({ min: 0, max: 63 })),
      index: fc.nat({ max: 999_999_999 }),
      width: fc.integer({ min: 1, max: 256 }),
    });
    fc.assert(
      fc.property(place, (tile) => expect(parseTilePath(tilePath(tile))).toEqual(tile)),
      { seed: 256 },
    );
  });

  it.each([
    '',
    '0',
    '0/0',
    '0/0000',
    '0/x000/001',
    '00/000',
    '64/000',
    '-1/000',
    '0/000.p/0',
    '0/000.p/256',
    '0/000.p/01',
    '0/000.p',
    '0/001/000',
    '0/x001',
    'data/000',
    '0/000/',
    '/0/000',
  ])('is not %j', (path) => {
    expect(parseTilePath(path)).toBeNull();
  });
});

describe('the tiles of a tree', () => {
  it('of 70,000 entries and of 256 are those that the specification names', () => {
    const counted = (size: number, level: number) =>
      tilesOf(size)
        .filter((tile) => tile.level === level)
        .map(({ width }) => width);
    expect([counted(70_000, 0).filter((width) => width === 256).length, counted(70_000, 0).at(-1)]).toEqual([273, 112]);
    expect([counted(70_000, 1), counted(70_000, 2), counted(70_000, 3)]).toEqual([[256, 17], [1], []]);
    expect([counted(256, 0), counted(256, 1)]).toEqual([[256], [1]]);
  });

  it('are those that it has, and not one hash more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300_000 }), (size) => {
        for (const tile of tilesOf(size)) {
          expect(hasTile(tile, size)).toBe(true);
          if (tile.width < 256) expect(hasTile({ ...tile, width: tile.width + 1 }, size)).toBe(false);
        }
      }),
      { seed: 8 },
    );
  });
});
