import { visitorAddress } from '@/lib/http/visitor-address';

test.each([
  ['without proxies the header is not believed', '198.51.100.7', 0, '192.0.2.1'],
  ['behind one proxy its word counts', '198.51.100.7', 1, '198.51.100.7'],
  ['what the visitor wrote before it does not', '203.0.113.9, 198.51.100.7', 1, '198.51.100.7'],
  ['behind two the first of them tells', '203.0.113.9, 198.51.100.7, 10.0.0.2', 2, '198.51.100.7'],
  ['a header too short leaves the connection', '198.51.100.7', 2, '192.0.2.1'],
  ['an empty one too', '', 1, '192.0.2.1'],
  ['a port is no part of an address', '198.51.100.7:50123', 1, '198.51.100.7'],
  ['nor of one of IPv6', '[2001:db8::7]:50123', 1, '2001:db8::7'],
  ['nor are brackets', '[2001:db8::7]', 1, '2001:db8::7'],
  ['an address of IPv6 alone stays', '2001:db8::7', 1, '2001:db8::7'],
  ['none at all too', undefined, 1, '192.0.2.1'],
])('%s', (_, header, proxies, address) => {
  expect(
    visitorAddress({ headers: { 'x-forwarded-for': header }, socket: { remoteAddress: '192.0.2.1' } }, proxies),
  ).toBe(address);
});

test('a connection that has ended has no address', () => {
  expect(visitorAddress({ headers: {}, socket: {} }, 0)).toBe('unknown');
});
