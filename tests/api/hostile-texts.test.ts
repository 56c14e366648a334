import { z } from 'zod';
import type { AnyDeclaration } from '@/lib/api/declaration';
import type { Call } from '@/lib/api/handle';
import { Role } from '@/lib/reference/schema';
import { bearer, newAddress, openStaff } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { addressOf, doors } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
};
type Place = 'params' | 'query' | 'body';

const unkeepable = ['a NUL\u0000', 'half \uD800 of a pair', '\uDC00'];
const hostile = [
  ...unkeepable,
  '\u202e\u200b\u0007\u001b[31m',
  'a' + '\u0301'.repeat(200),
  '\uFDFA'.repeat(200),
  'x'.repeat(60_000),
  '__proto__',
  '%00',
];

let authorization: Record<string, string>;
beforeAll(async () => {
  standAt(worldNow);
  authorization = bearer((await openStaff('harriet', Role.superAdmin, worldNow)).session);
});

const schemaOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

/** A value of about the shape, and the paths to the texts in it. */
function sampleOf(schema: JsonSchema, path: string[] = []): { value: unknown; texts: string[][] } {
  const choice = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null');
  if (choice) return sampleOf(choice, path);
  if (schema.properties) {
    const parts = Object.entries(schema.properties).map(
      ([name, own]) => [name, sampleOf(own, [...path, name])] as const,
    );
    return {
      value: Object.fromEntries(parts.map(([name, { value }]) => [name, value])),
      texts: parts.flatMap(([, { texts }]) => texts),
    };
  }
  if (typeof schema.additionalProperties === 'object') {
    const { value, texts } = sampleOf(schema.additionalProperties, [...path, 'any']);
    return { value: { any: value }, texts };
  }
  if (schema.type === 'array') {
    const { value, texts } = sampleOf(schema.items ?? {}, [...path, '0']);
    return { value: [value], texts };
  }
  if (schema.type === 'boolean') return { value: true, texts: [] };
  if (schema.type === 'number' || schema.type === 'integer') return { value: 1, texts: [path] };
  return { value: schema.const ?? schema.enum?.[0] ?? 'abc', texts: [path] };
}

function withText(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text;
  if (Array.isArray(value)) return value.map((item: unknown) => withText(item, rest, text));
  return { ...(value as object), [name]: withText((value as Record<string, unknown>)[name], rest, text) };
}

async function send(
  call: Call,
  place: string,
  method: string,
  sent: Record<Place, unknown>,
): Promise<{ status: number; fields: string[] }> {
  const { params, query, body } = sent as {
    params: Record<string, string>;
    query: Record<string, string>;
    body: unknown;
  };
  const hasBody = call.declaration.body !== undefined && method !== 'GET';
  const asked = new Request(addressOf(place, { params: {}, query }), {
    method,
    headers: {
      ...authorization,
      'x-tipledger-address': newAddress(),
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(body) }),
  });
  const response = await call(asked, { params: Promise.resolve(params) });
  const text = await response.text();
  return {
    status: response.status,
    fields: response.status === 400 ? Object.keys((JSON.parse(text) as { fields?: object }).fields ?? {}) : [],
  };
}

const everyCall = Object.entries(doors).flatMap(([place, methods]) =>
  Object.entries(methods).flatMap(([method, call]) =>
    call?.declaration ? [[`${method} ${place}`, place, method, call] as const] : [],
  ),
);
// A stream does not end.
const withTexts = everyCall.filter(([, place]) => place !== '/stream');

/** The values of a path or a query are texts, whatever they stand for. */
const asTexts = (value: unknown) =>
  Object.fromEntries(Object.entries((value as object | undefined) ?? {}).map(([name, own]) => [name, String(own)]));

function samplesOf({ params, query, body }: AnyDeclaration) {
  const [inPath, inQuery, inBody] = [params, query, body].map((schema) =>
    schema ? sampleOf(schemaOf(schema)) : { value: {}, texts: [] },
  );
  return {
    params: { value: asTexts(inPath?.value), texts: inPath?.texts ?? [] },
    query: { value: asTexts(inQuery?.value), texts: inQuery?.texts ?? [] },
    body: { value: inBody?.value, texts: inBody?.texts ?? [] },
  };
}

test('a token that names a key with a NUL is nobody’s', async () => {
  const [, payload, signature] = (authorization.authorization ?? '').split('.');
  for (const kid of ['\u0000', 'a\u0000b', '\uD800', 'x'.repeat(5_000), 7, null]) {
    const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'at+jwt', kid })).toString('base64url');
    const response = await (doors['/user']?.GET as Call)(
      new Request('http://localhost/api/user', {
        headers: { authorization: `Bearer ${header}.${payload}.${signature}` },
      }),
      { params: Promise.resolve({}) },
    );
    expect([kid, response.status]).toEqual([kid, 401]);
  }
});

describe('hostile texts', () => {
  test('have somewhere to go', () => {
    expect(
      withTexts.flatMap(([, , , call]) => Object.values(samplesOf(call.declaration)).flatMap(({ texts }) => texts))
        .length,
    ).toBeGreaterThan(100);
  });

  test.each(withTexts)(
    'are refused with the field named, or taken, and never fail: %s',
    async (_, place, method, call) => {
      const samples = samplesOf(call.declaration);
      const sound = { params: samples.params.value, query: samples.query.value, body: samples.body.value };
      const wrong: unknown[] = [];
      for (const part of ['params', 'query', 'body'] as const) {
        for (const path of samples[part].texts) {
          for (const text of hostile) {
            // An address cannot hold half of a character.
            if (part !== 'body' && /\p{Surrogate}/u.test(text)) continue;
            const { status, fields } = await send(call, place, method, {
              ...sound,
              [part]: withText(sound[part], path, text),
            });
            const mustBeRefused = unkeepable.includes(text) && part !== 'params';
            if (status >= 500 || (mustBeRefused && (status !== 400 || fields.length === 0)))
              wrong.push([part, path.join('.'), text.slice(0, 20), status, fields]);
          }
        }
      }
      expect(wrong).toEqual([]);
    },
  );
});
