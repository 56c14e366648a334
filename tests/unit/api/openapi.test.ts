import { z } from 'zod';
import type { Access } from '@/lib/access/schema';
import { handle } from '@/lib/api/handle';
import { openApiDocument } from '@/lib/api/openapi';

const noCall = async () => ({ a: 1 });

const calls = {
  '/plain': { GET: handle({ summary: 'Plain', access: 'public', answers: z.object({ a: z.int() }) }, noCall) },
  '/thing/{reference}': {
    GET: handle(
      {
        summary: 'A thing',
        access: 'public',
        params: z.object({ reference: z.string().max(20) }),
        query: z.object({
          days: z.string().transform(Number).prefault('7'),
          sort: z.enum(['date', 'league']),
          flag: z
            .enum(['true', 'false'])
            .optional()
            .transform((text) => text === 'true'),
        }),
        answers: z.object({ at: z.iso.datetime(), kind: z.union([z.literal('x'), z.null()]) }),
      },
      async () => ({ at: '2026-01-01T00:00:00.000Z', kind: null }),
    ),
    POST: handle(
      {
        summary: 'Change',
        access: 'public',
        body: z.strictObject({ stake: z.int().min(1) }),
        answers: z.object({ a: z.int() }),
        limit: { hits: 1, windowSeconds: 60 },
      },
      noCall,
    ),
  },
};

type Node = Record<string, unknown>;
const at = (node: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((here, name) => (here as Node | undefined)?.[name], node);

describe('the OpenAPI document', () => {
  const document = openApiDocument(calls, 'v7');

  test('has the version, every path and every method, in lower case', () => {
    expect([document.openapi, document.info]).toEqual(['3.1.0', { title: 'Tipledger', version: 'v7' }]);
    expect(
      Object.entries(document.paths as Node).map(([path, methods]) => [path, Object.keys(methods as Node)]),
    ).toEqual([
      ['/plain', ['get']],
      ['/thing/{reference}', ['get', 'post']],
    ]);
  });

  test('describes what comes in as it is sent, what goes out as it is answered', () => {
    const get = at(document.paths, '/thing/{reference}', 'get');
    expect(at(get, 'parameters')).toEqual([
      { name: 'reference', in: 'path', required: true, schema: { type: 'string', maxLength: 20 } },
      { name: 'days', in: 'query', required: false, schema: { type: 'string', default: '7' } },
      { name: 'sort', in: 'query', required: true, schema: { type: 'string', enum: ['date', 'league'] } },
      { name: 'flag', in: 'query', required: false, schema: { type: 'string', enum: ['true', 'false'] } },
    ]);
    const answer = at(get, 'responses', '200', 'content', 'application/json', 'schema');
    expect(answer).toMatchObject({
      type: 'object',
      required: ['at', 'kind'],
      properties: { at: { type: 'string', format: 'date-time' } },
    });
    expect(answer).not.toHaveProperty('$schema');
  });

  test('describes a body as required and as strict as it is', () => {
    expect(at(document.paths, '/thing/{reference}', 'post', 'requestBody')).toEqual({
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { stake: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } },
            required: ['stake'],
            additionalProperties: false,
          },
        },
      },
    });
    expect(at(document.paths, '/plain', 'get')).not.toHaveProperty('requestBody');
    expect(at(document.paths, '/plain', 'get')).not.toHaveProperty('parameters');
  });

  test('names the refusals of each call, 429 where it is limited', () => {
    const statuses = (path: string, method: string) =>
      Object.keys(at(document.paths, path, method, 'responses') as Node);
    expect(statuses('/plain', 'get')).toEqual(['200', '400', '401', '404', '500', '503']);
    expect(statuses('/thing/{reference}', 'post')).toEqual([
      '200',
      '400',
      '401',
      '404',
      '408',
      '409',
      '429',
      '500',
      '503',
    ]);
    expect(at(document.paths, '/plain', 'get', 'responses', '404')).toEqual({
      description: 'Not Found',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
    });
    expect(at(document, 'components', 'schemas', 'Refusal')).toMatchObject({
      type: 'object',
      required: ['status', 'message'],
    });
  });

  test('says where a token is never read, may come and must, and where a form may be sent', () => {
    const door = { call: '/x', page: () => '/', next: () => '/' };
    const of = (access: Access) =>
      openApiDocument(
        {
          '/x': {
            POST: handle(
              { summary: 'X', access, body: z.object({ a: z.string() }).optional(), answers: z.null(), form: door },
              async () => null,
            ),
          },
        },
        'v',
      ).paths;
    const securities = (['unidentified', 'public', 'member', 'confirmed', 'staff', 'super-admin'] as const).map(
      (access) => at(of(access), '/x', 'post', 'security'),
    );
    expect(securities).toEqual([
      [],
      [{}, { bearer: [] }],
      [{ bearer: [] }],
      [{ bearer: [] }],
      [{ bearer: [] }],
      [{ bearer: [] }],
    ]);
    expect(Object.keys(at(of('confirmed'), '/x', 'post', 'responses') as Node)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '408',
      '409',
      '429',
      '500',
      '503',
    ]);
    expect(Object.keys(at(of('unidentified'), '/x', 'post', 'responses') as Node)).toEqual([
      '200',
      '400',
      '403',
      '404',
      '408',
      '409',
      '429',
      '500',
      '503',
    ]);
    expect(at(of('public'), '/x', 'post', 'requestBody', 'required')).toBe(false);
    expect(Object.keys(at(of('public'), '/x', 'post', 'requestBody', 'content') as Node)).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
    ]);
  });

  test('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  test('of no calls has no paths', () => {
    expect(openApiDocument({}, 'v').paths).toEqual({});
  });
});
