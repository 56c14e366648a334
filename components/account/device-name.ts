// The first that is named in what a browser says of itself; many name others beside it.
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['HeadlessChrome', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Macintosh', 'Mac'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

const named = (table: readonly (readonly [string, string])[], device: string) =>
  table.find(([word]) => device.includes(word))?.[1];

/** What a device is called by its user agent: "Firefox on Windows"; what it says itself when that is no browser known. */
export function deviceName(device: string): string {
  const browser = named(browsers, device);
  const system = named(systems, device);
  if (!browser) return device.slice(0, 60) || 'Unknown device';
  return system ? `${browser} on ${system}` : browser;
}
