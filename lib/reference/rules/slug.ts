// Letters that stay letters of their own when their marks are taken off.
const spelling: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', ı: 'i', æ: 'ae', œ: 'oe', đ: 'd', ð: 'd', þ: 'th' };

/** The part of a URL that names something: lowercase ASCII words joined by hyphens; 'unnamed' when nothing of the name can be kept. */
export function slug(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/['’.]/g, '')
    .replace(/&/g, ' and ')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, (letter) => spelling[letter] ?? ' ')
    .replace(/ +/g, '-')
    .replace(/^-|-$/g, '');
  return words.slice(0, 80).replace(/-$/, '') || 'unnamed';
}
