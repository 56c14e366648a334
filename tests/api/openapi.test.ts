import { limitOf } from '@/lib/api/limits';
import { standAt } from '../support/clock';
import { describeCall, doors } from '../support/request';
import { worldNow } from '../support/world';

beforeAll(() => standAt(worldNow));

const { '/openapi.json': _self, ...calls } = doors;

type Parameter = { name: string; in: string; required: boolean; schema: Record<string, unknown> };
type Operation = {
  summary: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Record<string, unknown> }> };
  responses: Record<string, unknown>;
};
type Document = {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
};

describeCall('/openapi.json', 'GET', (ask) => {
  const documentOf = async () => (await ask()).view as Document;

  test('describes itself as OpenAPI 3.1 of the version that runs', async () => {
    const document = await documentOf();
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toEqual({ title: 'Tipledger', version: expect.stringMatching(/^\S+$/) });
    expect(document.servers).toEqual([{ url: '/api' }]);
  });

  test('describes every call of the table and nothing else', async () => {
    const described = Object.entries((await documentOf()).paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const inTable = Object.entries(calls).flatMap(([path, methods]) =>
      ['GET', 'POST', 'PUT', 'DELETE']
        .filter((method) => method in methods)
        .map((method) => `${method} ${path.replace('{...', '{')}`),
    );
    expect(described.sort()).toEqual(inTable.sort());
    expect(described).toContain('POST /live-scores');
  });

  test('says what each number of a login’s outcome means', async () => {
    const { paths } = await documentOf();
    for (const path of ['/auth/token', '/auth/refresh-token', '/account/register']) {
      const [answer] = Object.values(paths[path]?.post?.responses ?? {}) as [
        { content: Record<string, { schema: unknown }> },
      ];
      expect(answer.content['application/json']?.schema).toMatchObject({
        properties: {
          outcome: {
            type: 'integer',
            description: '0 error, 1 success, 2 incorrect user, 3 incorrect password, 4 locked',
          },
        },
      });
    }
  });

  test('names both spellings of what is said of a portfolio', async () => {
    const { post, put } = (await documentOf()).paths['/user/portfolio'] ?? {};
    for (const operation of [post, put])
      expect(operation?.requestBody?.content['application/json']?.schema).toMatchObject({
        properties: {
          type: { enum: [0, 1, 2, 3] },
          visibility: { enum: [0, 1, 2, 3] },
          defaultTipStake: { type: 'number', minimum: 0.1, maximum: 10 },
          defaultTipStakeHundredths: { type: 'integer', minimum: 10, maximum: 1000 },
        },
      });
  });

  test('names each parameter of a path, each query parameter with its need and default, and the body', async () => {
    const { paths } = await documentOf();
    for (const [path, operations] of Object.entries(paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters = [] } of Object.values(operations)) {
        expect(
          parameters.filter((parameter) => parameter.in === 'path').map(({ name, required }) => [name, required]),
        ).toEqual(named.map((name) => [name, true]));
      }
    }
    const parameters = Object.fromEntries(
      (paths['/edge/fixtures']?.get?.parameters ?? []).map((parameter) => [parameter.name, parameter]),
    );
    expect(parameters.sportId).toMatchObject({ in: 'query', required: true, schema: { type: 'string' } });
    expect(parameters.days).toMatchObject({ in: 'query', required: false, schema: { type: 'string', default: '7' } });
    expect(parameters.sort).toMatchObject({ required: false, schema: { enum: ['date', 'league'], default: 'date' } });
    const body = paths['/live-scores']?.post?.requestBody;
    expect(body).toMatchObject({ required: true });
    expect(body?.content['application/json']?.schema).toMatchObject({
      required: ['PSBetMatchId', 'SportId', 'Provider', 'FileName'],
      additionalProperties: false,
    });
  });

  test('tells of 429 where a call is limited and nowhere else', async () => {
    const { paths } = await documentOf();
    const told = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) =>
        '429' in responses ? [`${method.toUpperCase()} ${path}`] : [],
      ),
    );
    const limited = Object.entries(calls).flatMap(([path, methods]) =>
      (['GET', 'POST', 'PUT', 'DELETE'] as const).flatMap((method) =>
        methods[method] && limitOf(method, methods[method].declaration) ? [`${method} ${path}`] : [],
      ),
    );
    expect(told.sort()).toEqual(limited.sort());
    expect(told).toEqual(expect.arrayContaining(['POST /live-scores', 'POST /auth/token']));
  });

  test('refers to nothing that it does not hold', async () => {
    const document = await documentOf();
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference);
    expect(new Set(references)).toEqual(new Set(['#/components/schemas/Refusal']));
    expect(document.components.schemas).toHaveProperty('Refusal');
  });

  test('stays the same and answers 304 to who has it', async () => {
    const first = await ask();
    const again = await ask({ headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});
