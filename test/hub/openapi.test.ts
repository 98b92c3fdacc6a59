import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { API_ROUTES } from '../../src/surfaces/hub/api.ts';
import { openApi } from '../../src/surfaces/hub/openapi.ts';

describe('the OpenAPI document', () => {
  const document = JSON.parse(JSON.stringify(openApi(new URL('https://hub.example'))));

  it('is valid by the schema of OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(document);
    expect(errors ?? []).toEqual([]);
    expect([valid, validator.version]).toEqual([true, '3.1']);
  });

  it('names every address with its parameters and answers', () => {
    expect(Object.keys(document.paths)).toEqual(API_ROUTES.map(({ path }) => `/${path}`));
    const { parameters, responses } = document.paths['/search'].get;
    expect(parameters.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['q', 'limit', 'repository', 'team', 'type', 'trust', 'freshness']),
    );
    expect(responses[200].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Search' });
    expect(document.servers).toEqual([{ url: 'https://hub.example/api/v1' }]);
  });
});
