import { isReservedName } from '@/lib/accounts/rules/usernames';

const kept: Record<string, readonly string[]> = {
  'staff, with numbers and separators': [
    'admin',
    'admin1',
    'staff1',
    'admin-2',
    '1admin',
    'admin-john',
    'john-admin',
    'admins',
    'the-admin',
    'real-admin',
    'admin-team',
    'moderator7',
    'superadmin',
  ],
  'what looks like staff': ['adm1n', '4dmin', 'rnoderator', '5taff', 'm0derator', 'a-d-m-i-n'],
  'the site': [
    'tipledger',
    't1pledger',
    'tip-ledger',
    'tip1edger',
    'tipledger-support',
    'my-tipledger-club',
    'support',
    'support-uk',
    '0fficial',
    'official-tips',
    'system',
    'root',
  ],
  'its pages': ['login', 'register', 'dashboard', 'football', 'api', 'null'],
  bookmakers: [
    'bet365',
    'bet-365',
    'larkmere',
    '1arkmere',
    'lark-mere',
    'harrow-vane',
    'pinnacle',
    'pinnacle-official',
  ],
  'what the site gives': ['member-abc', 'follower', 'former-tipster-7'],
};

test.each(Object.entries(kept))('keeps the names of %s', (_, names) => {
  expect(names.filter((name) => !isReservedName(name))).toEqual([]);
});

test('leaves people their names', () => {
  const names = [
    'ann',
    'badminton-king',
    'bob-the-bettor',
    'betting-system',
    'happy-member',
    'tennis-team',
    'arnold',
    'modest',
    'ownership',
    'johnson',
    'helpful-harry',
    'goal-machine',
    'early-prices',
    'odds1',
    'steam',
    'admiral',
    'stafford',
    'rootes-racing',
    'pin-hunter',
  ];
  expect(names.filter(isReservedName)).toEqual([]);
});
