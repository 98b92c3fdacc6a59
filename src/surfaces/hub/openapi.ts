import * as z from 'zod/mini';
import { packageVersion } from '../../templates.ts';
import { API_ROUTES, type ApiRoute } from './api.ts';
import { ANSWERS } from './api-schemas.ts';

/** The OpenAPI 3.1 document of the API, made from the schemas that check its questions and describe its answers. */
export function openApi(origin: URL): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'git-mem hub',
      version: packageVersion(),
      description: 'The memories of many repositories. Every answer holds only what its asker may read.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: new URL('/api/v1', origin).href }],
    security: [{ token: [] }, { session: [] }],
    paths: Object.fromEntries(API_ROUTES.map((route) => [`/${route.path}`, pathOf(route)])),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A service token, or an access token of the issuer.' },
        session: { type: 'apiKey', in: 'cookie', name: '__Host-git-mem', description: 'A person who signed in.' },
      },
      schemas: Object.fromEntries(Object.entries(ANSWERS).map(([name, schema]) => [name, jsonSchema(schema)])),
    },
  };
}

function pathOf({ path, method = 'GET', summary, query, answer }: ApiRoute): object {
  const failure = (description: string) => ({ description, content: contentOf('Failure') });
  return {
    [method.toLowerCase()]: {
      operationId: path,
      summary,
      parameters: query === undefined ? [] : parametersOf(query),
      responses: {
        200: { description: 'The answer.', content: contentOf(answer) },
        400: failure('A parameter is wrong.'),
        401: failure('The token or the session is unknown.'),
        403: failure('Its scope does not suffice, or nobody confirmed its rights within the hour.'),
        429: failure('Too many requests; Retry-After says how many seconds to wait.'),
      },
    },
  };
}

function contentOf(name: keyof typeof ANSWERS): object {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
}

function parametersOf(query: z.ZodMiniObject): object[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input' });
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = typeof schema === 'object' ? schema : {};
    const isList = rest.type === 'array';
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description && { description }),
      ...(isList && { style: 'form', explode: true }),
      schema: rest,
    };
  });
}

function jsonSchema(schema: z.ZodMiniType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema);
  return rest;
}
