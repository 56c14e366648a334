import { generateKeyPairSync } from 'node:crypto';
import path from 'node:path';
import { env, readEnv } from '@/lib/platform/env';

const problem = (variables: Record<string, string | undefined>): string => {
  try {
    readEnv(variables);
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
};

describe('the settings', () => {
  test('have defaults for everything', () => {
    expect(readEnv({})).toEqual({
      ACCESS_LOG: 'off',
      NODE_ENV: 'development',
      DATABASE_POOL: 16,
      DRAIN_SECONDS: 0,
      TIPLEDGER_BUILD: '.next',
      TIPLEDGER_DATA: '.data',
      TIPLEDGER_DEMO: 'on',
      TIPLEDGER_JOBS: 'on',
      TIPLEDGER_BRANCH: 'main',
      TIPLEDGER_SPORT_ICONS: '/images/sports',
      TIPLEDGER_PROXIES: 0,
      TIPLEDGER_TRUSTED_ORIGINS: [],
      TIPLEDGER_WITNESSES: [],
      MAIL_FROM: 'Tipledger <no-reply@localhost>',
      DKIM_SELECTOR: 'tipledger',
      TIPLEDGER_OUTBOX: 'off',
      TIPLEDGER_OUTGOING_PRIVATE: [],
      TIPLEDGER_TELEGRAM_URL: 'https://api.telegram.org',
      TIPLEDGER_PREVIEW: 'off',
      TIPLEDGER_AFFILIATE_DAYS: 30,
      TIPLEDGER_CONSENT_DAYS: 182,
      OTEL_SERVICE_NAME: 'tipledger',
      HOST: '0.0.0.0',
      PORT: 3000,
      LOG_LEVEL: 'info',
      dataFolder: path.resolve('.data'),
      siteUrl: 'http://localhost:3000',
      logOrigin: 'localhost:3000/api/log',
    });
  });

  test('take an empty or blank value for none', () => {
    const blank = Object.fromEntries(
      [
        'NODE_ENV',
        'DATABASE_URL',
        'TIPLEDGER_DATA',
        'TIPLEDGER_SITE_URL',
        'TIPLEDGER_BRANCH',
        'HOST',
        'PORT',
        'LOG_LEVEL',
      ].flatMap((name) => [[name, '']]),
    );
    expect(readEnv(blank)).toEqual(readEnv({}));
    expect(readEnv(Object.fromEntries(Object.keys(blank).map((name) => [name, ' \t'])))).toEqual(readEnv({}));
    expect(readEnv({ PORT: undefined })).toEqual(readEnv({}));
  });

  test('are what they say, blanks around them taken off', () => {
    expect(
      readEnv({
        DATABASE_URL: ' postgresql://a@b/c ',
        TIPLEDGER_DATA: '/var/tipledger',
        PORT: '8080',
        HOST: '127.0.0.1',
        NODE_ENV: 'production',
        LOG_LEVEL: 'silent',
        TIPLEDGER_BRANCH: 'x',
      }),
    ).toMatchObject({
      ...{
        DATABASE_URL: 'postgresql://a@b/c',
        dataFolder: '/var/tipledger',
        PORT: 8080,
        HOST: '127.0.0.1',
        NODE_ENV: 'production',
        LOG_LEVEL: 'silent',
        TIPLEDGER_BRANCH: 'x',
      },
      siteUrl: 'http://localhost:8080',
    });
    expect(readEnv({ DATABASE_URL: 'postgres://a@b/c' }).DATABASE_URL).toBe('postgres://a@b/c');
    expect(readEnv({ PORT: '0' }).PORT).toBe(0);
  });

  test('give the address of the site without a slash at its end', () => {
    expect(readEnv({ TIPLEDGER_SITE_URL: 'https://tipledger.example/' }).siteUrl).toBe('https://tipledger.example');
    expect(problem({ TIPLEDGER_SITE_URL: 'https://tipledger.example/sub' })).toContain(
      'TIPLEDGER_SITE_URL: must be an address without a path',
    );
  });

  test('give the name of the log, by default that of the host', () => {
    expect(readEnv({ TIPLEDGER_SITE_URL: 'https://tipledger.example/' }).logOrigin).toBe('tipledger.example/api/log');
    expect(readEnv({ TIPLEDGER_LOG_ORIGIN: 'log.example/2026' }).logOrigin).toBe('log.example/2026');
  });

  test('take the key that signs only where it is one', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const jwk = privateKey.export({ format: 'jwk' });
    const text = JSON.stringify(jwk);
    for (const given of [text, Buffer.from(text).toString('base64')])
      expect(readEnv({ TIPLEDGER_SIGNING_KEY: given }).TIPLEDGER_SIGNING_KEY).toBe(text);
    const { d: _, ...open } = jwk;
    const others = [
      text.slice(0, -5),
      JSON.stringify({ ...jwk, d: jwk.d?.slice(0, -4) }),
      JSON.stringify({ ...jwk, d: '' }),
      JSON.stringify(open),
      JSON.stringify({ ...jwk, x: undefined }),
      JSON.stringify({ ...jwk, x: generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x }),
      JSON.stringify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })),
      'null',
      'a key',
    ];
    for (const given of others)
      expect(problem({ TIPLEDGER_SIGNING_KEY: given })).toContain(
        '\n  TIPLEDGER_SIGNING_KEY: must be an Ed25519 private key as a JSON Web Key, or that in base64',
      );
  });

  test('take the key that signs mails only where mails can be signed with it', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const read = (given: string) =>
      readEnv({ DKIM_DOMAIN: 'tipledger.example', DKIM_PRIVATE_KEY: given }).DKIM_PRIVATE_KEY?.trim();
    for (const given of [
      pem,
      pem.replaceAll('\n', '\\n'),
      Buffer.from(pem).toString('base64'),
      privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    ])
      expect(read(given)).toContain(' PRIVATE KEY-----\n');
    const others = [
      // As systemd reads \n outside of quotes.
      pem.replaceAll('\n', 'n'),
      pem.replaceAll('\n', ' '),
      pem.slice(0, 200),
      privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString(),
      generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      '-----BEGIN PUBLIC KEY-----',
    ];
    for (const given of others)
      expect(problem({ DKIM_DOMAIN: 'tipledger.example', DKIM_PRIVATE_KEY: given })).toContain(
        '\n  DKIM_PRIVATE_KEY: must be a whole private key of RSA without a passphrase',
      );
  });

  test.each(['DATABASE_OWNER_URL', 'DATABASE_REPLICA_URL'])('take %s only beside DATABASE_URL', (name) => {
    const url = 'postgres://tipledger:secret@localhost/tipledger';
    const said = `These settings are wrong (see .env.example):\n  ${name} goes with DATABASE_URL: set that too, or neither for a private database.`;
    for (const forgotten of [{}, { DATABASE_URL: '' }, { DATABSE_URL: url }])
      expect(() => readEnv({ [name]: url, ...forgotten })).toThrow(said);
    expect(readEnv({ [name]: url, DATABASE_URL: url })).toMatchObject({ [name]: url });
  });

  test('name witnesses in lines or with semicolons between them', () => {
    const [east, west] = ['east.example/w1+00c0ffee+BAAA', 'west.example+12345678+BBBB'];
    const expected = [
      { vkey: east, url: 'https://east.example/' },
      { vkey: west, url: 'http://127.0.0.1:8080' },
    ];
    for (const between of [';', ' ; ', '\n', ';\n'])
      expect(
        readEnv({ TIPLEDGER_WITNESSES: `${east} https://east.example/${between}${west}  http://127.0.0.1:8080` })
          .TIPLEDGER_WITNESSES,
      ).toEqual(expected);
  });

  test.each([
    [
      { TIPLEDGER_WITNESSES: 'east.example https://east.example' },
      'TIPLEDGER_WITNESSES: must be witnesses, each its key and its URL',
    ],
    [{ TIPLEDGER_LOG_ORIGIN: 'a name' }, 'TIPLEDGER_LOG_ORIGIN: must be a name without blanks and plus signs'],
    [
      { TIPLEDGER_GEOCODER: 'https://maps.example/?at={latitude}' },
      'TIPLEDGER_GEOCODER: must be a URL with {latitude} and {longitude} in it',
    ],
    [{ TIPLEDGER_JOBS: 'no' }, "TIPLEDGER_JOBS: must be 'on' or 'off'"],
    [{ TIPLEDGER_DEMO: 'no' }, "TIPLEDGER_DEMO: must be 'on', 'small' or 'off'"],
    [{ PORT: '65536' }, 'PORT: must be a port from 0 to 65535'],
    [{ PORT: '-1' }, 'PORT: must be a port from 0 to 65535'],
    [{ PORT: '80.5' }, 'PORT: must be a port from 0 to 65535'],
    [{ PORT: 'http' }, 'PORT: must be a port from 0 to 65535'],
    [{ PORT: '0x50' }, 'PORT: must be a port from 0 to 65535'],
    [{ PORT: '1e3' }, 'PORT: must be a port from 0 to 65535'],
    [{ DATABASE_URL: 'mysql://a@b/c' }, 'DATABASE_URL: must begin with postgres:// or postgresql://'],
    [{ DATABASE_URL: 'localhost' }, 'DATABASE_URL: must begin with postgres:// or postgresql://'],
    [
      { TIPLEDGER_SITE_URL: 'tipledger.example' },
      'TIPLEDGER_SITE_URL: must be a URL such as https://tipledger.example',
    ],
    [
      { TIPLEDGER_SITE_URL: 'ftp://tipledger.example' },
      'TIPLEDGER_SITE_URL: must be a URL such as https://tipledger.example',
    ],
    [
      { TIPLEDGER_SITE_URL: 'javascript:alert(1)' },
      'TIPLEDGER_SITE_URL: must be a URL such as https://tipledger.example',
    ],
    [{ TIPLEDGER_ADS_SCRIPT: 'http://ads.example/a.js' }, 'TIPLEDGER_ADS_SCRIPT: must be an https URL of a script'],
    [{ TIPLEDGER_TAGS_SCRIPT: '//tags.example/t.js' }, 'TIPLEDGER_TAGS_SCRIPT: must be an https URL of a script'],
    [{ TIPLEDGER_AFFILIATE_DAYS: '0' }, 'TIPLEDGER_AFFILIATE_DAYS: must be a day at least'],
    [{ TIPLEDGER_CONSENT_DAYS: '1.5' }, 'TIPLEDGER_CONSENT_DAYS: must be a whole number of days'],
    [{ NODE_ENV: 'staging' }, 'NODE_ENV: '],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: '],
  ])('refuse %p and say what it should be', (variables, expected) => {
    expect(problem(variables)).toContain(`\n  ${expected}`);
  });

  test('name all that is wrong at once, and where they are explained', () => {
    const said = problem({ PORT: 'x', NODE_ENV: 'y', DATABASE_URL: 'z' });
    expect(said.split('\n')[0]).toBe('These settings are wrong (see .env.example):');
    expect(
      said
        .split('\n')
        .slice(1)
        .map((line) => line.trim().split(':')[0]),
    ).toEqual(['NODE_ENV', 'DATABASE_URL', 'PORT']);
  });

  test('name no value that is wrong, which may be a secret', () => {
    expect(problem({ DATABASE_URL: 'mysql://root:hunter2@b/c' })).not.toContain('hunter2');
  });

  test('are read anew each time', () => {
    const replaced = jest.replaceProperty(process.env, 'NODE_ENV', 'production');
    expect(env().NODE_ENV).toBe('production');
    replaced.restore();
    expect(env().NODE_ENV).toBe('test');
  });
});
