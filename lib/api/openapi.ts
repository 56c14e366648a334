import { z } from 'zod';
import { downloadTypesOf } from './download';
import type { AnyDeclaration } from './declaration';
import type { Call } from './handle';
import { limitOf } from './limits';

type Json = z.core.util.JSONType;
type Methods = Partial<Record<string, Call>>;

const refusals: Record<string, string> = {
  400: 'The request is not valid; `fields` names what is wrong',
  401: 'Forbidden: without a token where one is needed, or with one that is not valid',
  403: 'Signed in, and not allowed',
  404: 'Not Found',
  408: 'The body did not arrive in time',
  409: 'In conflict with what is there now',
  423: 'Locked after too many wrong tries',
  429: 'Too many requests',
  500: 'Internal Server Error',
  503: 'Unavailable for a while, such as `Retry-After` says',
};

function canRefuse(method: string, declaration: AnyDeclaration, status: string): boolean {
  const { access, body, takesFile, byCookie, form, alsoRefuses = [] } = declaration;
  if (alsoRefuses.some((also) => String(also) === status)) return true;
  if (status === '401') return access !== 'unidentified' || byCookie === true;
  // What is somebody else's, a write while suspended, and a form or a cookie on another site's page.
  if (status === '403')
    return (access !== 'unidentified' && access !== 'public') || byCookie === true || form !== undefined;
  if (status === '408') return body !== undefined || takesFile !== undefined;
  if (status === '409') return method !== 'GET';
  if (status === '423') return false;
  return status !== '429' || limitOf(method, declaration) !== null;
}

// A token is never read, may come, or must.
function securityOf({ access }: AnyDeclaration): Json[] {
  if (access === 'unidentified') return [];
  return access === 'public' ? [{}, { bearer: [] }] : [{ bearer: [] }];
}

function bodyOf({ body, form, takesFile }: AnyDeclaration): Record<string, Json> {
  if (takesFile)
    return {
      requestBody: {
        required: true,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
    };
  if (!body) return {};
  const schema = { schema: schemaOf(body, 'input') };
  const content = { 'application/json': schema, ...(form ? { 'application/x-www-form-urlencoded': schema } : {}) };
  return { requestBody: { required: !body.safeParse(undefined).success, content } };
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest as Record<string, Json>;
};

function parametersOf({ params, query, headers }: AnyDeclaration): Json[] {
  const places: ['path' | 'query' | 'header', z.ZodType | undefined][] = [
    ['path', params],
    ['query', query],
    ['header', headers],
  ];
  return places.flatMap(([place, schema]) => {
    if (!schema) return [];
    const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: place,
      required: required.includes(name),
      schema: property,
    }));
  });
}

function contentOf(answers: z.ZodType): Record<string, Json> {
  const files = downloadTypesOf(answers);
  if (!files) return { 'application/json': { schema: schemaOf(answers, 'output') } };
  return Object.fromEntries(files.map((mediaType) => [mediaType, { schema: { type: 'string' } }]));
}

function operationOf(method: string, declaration: AnyDeclaration): Json {
  const parameters = parametersOf(declaration);
  const refused = Object.entries(refusals)
    .filter(([status]) => canRefuse(method, declaration, status))
    .map(
      ([status, description]) =>
        [
          status,
          { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } } },
        ] as const,
    );
  return {
    summary: declaration.summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    security: securityOf(declaration),
    ...bodyOf(declaration),
    responses: {
      [declaration.creates ? 201 : 200]: {
        description: declaration.creates ? 'Created' : 'OK',
        content: contentOf(declaration.answers),
      },
      ...Object.fromEntries(refused),
    },
  };
}

/** The OpenAPI 3.1 document of the calls, made from their declarations alone. */
export function openApiDocument(calls: Record<string, Methods>, version: string): Record<string, Json> {
  const paths = Object.entries(calls).map(([path, methods]) => {
    const operations = Object.entries(methods).flatMap(([method, call]) =>
      call?.declaration ? [[method.toLowerCase(), operationOf(method, call.declaration)] as const] : [],
    );
    return [path.replaceAll('{...', '{'), Object.fromEntries(operations)] as const;
  });
  const refusal = z.looseObject({
    status: z.int(),
    message: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Tipledger', version },
    servers: [{ url: '/api' }],
    paths: Object.fromEntries(paths),
    components: {
      schemas: { Refusal: schemaOf(refusal, 'output') },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}
