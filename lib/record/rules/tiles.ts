/** C2SP tlog-tiles: how many hashes or entries a full tile has. */
export const tileWidth = 256;

/** C2SP tlog-tiles: a tile of the tree by its level, counted in eight levels of nodes, or a bundle of entries; its index in the level, and how many of its 256 hashes or entries it has. */
export type TilePlace = { level: number | 'entries'; index: number; width: number };

const tileHeight = 8;

/** The index of a tile as a path: three digits in each part, an x before all but the last (1234067 is x001/x234/067). */
function indexPath(index: number): string {
  const digits = String(index).padStart(3 * Math.ceil(String(index).length / 3), '0');
  const parts = digits.match(/\d{3}/g) ?? [];
  return parts.map((part, position) => (position < parts.length - 1 ? `x${part}` : part)).join('/');
}

/** The path of a tile below `tile/`. */
export function tilePath({ level, index, width }: TilePlace): string {
  return `${level}/${indexPath(index)}${width === tileWidth ? '' : `.p/${width}`}`;
}

/** The tile at a path below `tile/`, null for a path that no tile has: each tile has one path. */
export function parseTilePath(path: string): TilePlace | null {
  const [, level = '', parts = '', width] =
    /^(entries|\d{1,2})\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path) ?? [];
  if (level === '') return null;
  const place = {
    level: level === 'entries' ? ('entries' as const) : Number(level),
    index: Number(parts.replaceAll(/[x/]/g, '')),
    width: width === undefined ? tileWidth : Number(width),
  };
  const isPlace =
    (place.level === 'entries' || place.level <= 63) &&
    place.width >= 1 &&
    (width === undefined || place.width < tileWidth);
  return isPlace && tilePath(place) === path ? place : null;
}

/** The level in the tree of nodes that a tile is made of. */
export function nodeLevelOf({ level }: TilePlace): number {
  return level === 'entries' ? 0 : tileHeight * level;
}

/** Whether a tree of this size has so much of the tile. */
export function hasTile(place: TilePlace, size: number): boolean {
  return tileWidth * place.index + place.width <= Math.floor(size / 2 ** nodeLevelOf(place));
}

/** C2SP tlog-tiles: the tiles that a tree of this size is read from, bundles of entries first. */
export function tilesOf(size: number): TilePlace[] {
  const places: TilePlace[] = [];
  for (const level of ['entries', 0, 1, 2, 3, 4] as const) {
    const nodes = Math.floor(size / 2 ** nodeLevelOf({ level, index: 0, width: tileWidth }));
    for (let index = 0; tileWidth * index < nodes; index += 1)
      places.push({ level, index, width: Math.min(tileWidth, nodes - tileWidth * index) });
  }
  return places;
}
