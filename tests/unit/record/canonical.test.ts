import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { base64urlOf, bytesOfBase64url, canonicalJson, type Json } from '@/lib/record/rules';
import { bytesOfHex, hashText, hexOf, sha256, utf8 } from '@/lib/record/rules/canonical';

const doubleOf = (bits: string): number => Buffer.from(bits, 'hex').readDoubleBE(0);

describe('canonical JSON', () => {
  it('is that of the example in RFC 8785, section 3.2', () => {
    const value = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    );
    const text = canonicalJson(value);
    expect(text).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
    expect(hexOf(utf8(text))).toBe(
      '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b3333333333333333332e333333333333332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c222f227d',
    );
  });

  it('sorts names by UTF-16 code units, as the example of RFC 8785, section 3.2.3, does', () => {
    const value = JSON.parse(
      String.raw`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`,
    );
    const names = [...canonicalJson(value).matchAll(/:"([^"]*)"/g)].map(([, name]) => name);
    expect(names).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the double %s of RFC 8785, appendix B, as %s', (bits, text) => {
    expect(canonicalJson(doubleOf(bits))).toBe(text);
  });

  it.each([
    ['NaN', NaN],
    ['infinity', Infinity],
    ['negative infinity', [-Infinity]],
    ['a lone high surrogate', { name: 'a\ud800' }],
    ['a lone low surrogate', ['\udc00b']],
    ['a lone surrogate in a name', { 'a\udfff': 1 }],
    ['nothing', undefined as unknown as Json],
  ])('refuses %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow();
  });

  it('says what another program says, the same of equal values in any order of members, and reads back as the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (given) => {
        const value = given as Json;
        const text = canonicalJson(value);
        expect(text).toBe(canonicalize(value));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        const reversed = JSON.parse(JSON.stringify(value), (_, member: unknown) =>
          typeof member === 'object' && member !== null && !Array.isArray(member)
            ? Object.fromEntries(Object.entries(member).reverse())
            : member,
        ) as Json;
        expect(canonicalJson(reversed)).toBe(text);
      }),
      { seed: 8785 },
    );
  });
});

describe('bytes and hashes', () => {
  it('hash a text as FIPS 180 says', async () => {
    expect(await hashText('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(await hashText('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('are written in hexadecimal and base64url as Node writes them, and read back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(hexOf(bytes)).toBe(Buffer.from(bytes).toString('hex'));
        expect(base64urlOf(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
        expect([...bytesOfHex(hexOf(bytes))]).toEqual([...bytes]);
        expect([...bytesOfBase64url(base64urlOf(bytes))]).toEqual([...bytes]);
      }),
      { seed: 4648 },
    );
  });

  it('say what to do where there is neither Web Crypto nor Node, as in a browser without https', async () => {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'crypto');
    const builtins = Object.getOwnPropertyDescriptor(process, 'getBuiltinModule');
    Object.defineProperty(globalThis, 'crypto', { value: {}, configurable: true });
    Object.defineProperty(process, 'getBuiltinModule', { value: undefined, configurable: true });
    jest.resetModules();
    try {
      const inBrowser = await import('@/lib/record/rules/canonical');
      await expect(inBrowser.hashText('abc')).rejects.toThrow('over https');
    } finally {
      Object.defineProperty(globalThis, 'crypto', own ?? {});
      Object.defineProperty(process, 'getBuiltinModule', builtins ?? {});
    }
  });

  it('are the same by Node and by Web Crypto', async () => {
    const builtins = Object.getOwnPropertyDescriptor(process, 'getBuiltinModule');
    Object.defineProperty(process, 'getBuiltinModule', { value: undefined, configurable: true });
    jest.resetModules();
    try {
      const inBrowser = await import('@/lib/record/rules/canonical');
      for (const text of ['', 'abc', 'Ünïcode €', 'x'.repeat(100_000)]) {
        expect(await inBrowser.hashText(text)).toBe(await hashText(text));
        expect(await inBrowser.sha256(utf8(text))).toEqual(await sha256(utf8(text)));
      }
    } finally {
      Object.defineProperty(process, 'getBuiltinModule', builtins ?? {});
    }
  });
});
