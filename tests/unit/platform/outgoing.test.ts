import type { LookupAddress } from 'node:dns';
import { isPublicAddress, sendOut, whyNotReachable } from '@/lib/platform/outgoing';

type Lookup = (host: string, options: object, callback: (error: null, found: LookupAddress[]) => void) => void;

const lookup = jest.fn<void, Parameters<Lookup>>();

jest.mock('node:dns', () => ({
  ...jest.requireActual<object>('node:dns'),
  lookup: (...given: Parameters<Lookup>) => lookup(...given),
}));

it.each(['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
  ...['192.168.0.1', '198.18.0.1', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '64:ff9b::a00:1', 'fc00::1', 'fd12::1', 'fe80::1', 'ff02::1'],
  ...['2001:db8::1', '2001::1', '2002:a00:1::', 'example.com', ''],
])('%s is not', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each(['https://example.com/hook', 'https://example.com:8443/', 'https://1.1.1.1/'])('%s may be tried', (address) => {
  expect(whyNotReachable(address)).toBeNull();
});

it.each([
  ...['http://example.com/', 'ftp://example.com/', 'https://localhost/', 'https://db/', 'https://a.local/'],
  ...['https://svc.internal/', 'https://127.0.0.1/', 'https://2130706433/', 'https://0x7f.1/', 'https://[::1]/'],
  ...['https://[::ffff:7f00:1]/', 'https://name:word@example.com/', 'example.com', ''],
])('%s is refused with a sentence', (address) => {
  expect(whyNotReachable(address)).toMatch(/^[A-Z].*\.$/);
});

it('a name is looked up at the moment of sending, and not connected to when it leads into a private network', async () => {
  lookup.mockImplementation((_host, _options, callback) =>
    callback(null, [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ]),
  );
  const sent = { method: 'POST', headers: {}, body: '', milliseconds: 2_000 };
  await expect(sendOut('https://hooks.example.com/', sent)).rejects.toThrow('not public');
  expect(lookup).toHaveBeenCalledTimes(1);
});
