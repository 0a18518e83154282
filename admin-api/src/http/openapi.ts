import type { Endpoint } from '@selvage/core/contracts/endpoint';
import { pagination } from '@selvage/core/contracts/endpoint';
import { z } from 'zod';
import { loginStepCookie } from '../auth/login-step.ts';

type Schema = Record<string, unknown>;

const failure: Schema = {
  type: 'object',
  required: ['success', 'message'],
  properties: {
    success: { const: false },
    message: { type: 'string' },
    code: { type: 'string', description: 'Stable reason, listed in ops/docs/ERROR-CODES.md' },
    errors: { type: 'object', additionalProperties: { type: 'string' } },
    ids: {
      type: 'object',
      description: 'Records that a client goes on from after the failure',
      additionalProperties: { type: 'string' },
    },
    request_id: { type: 'string', description: 'With the status 500: what the log of the host names the call by' },
    conflict: {
      type: 'object',
      description: 'With the code `changed_meanwhile`: what was changed since the version that the body names',
      required: ['by', 'at', 'fields', 'current'],
      properties: {
        by: { type: ['string', 'null'] },
        at: { type: 'string', format: 'date-time' },
        fields: { type: 'array', items: { type: 'string' } },
        current: { description: 'The record as it is now, in the shape that the call answers' },
      },
    },
  },
};

/** The API as OpenAPI 3.1, made from the contracts that the routes use. */
export function describeApi(endpoints: Record<string, Endpoint>): Schema {
  const paths: Record<string, Schema> = {};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeCall(name, endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Selvage', version: '1' },
    servers: [{ url: '/api/v1' }],
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        loginStep: { type: 'apiKey', in: 'cookie', name: loginStepCookie },
      },
      schemas: { Failure: failure },
    },
    paths,
  };
}

function describeCall(name: string, endpoint: Endpoint): Schema {
  return {
    operationId: name,
    summary: endpoint.summary,
    security: securityOf(endpoint),
    'x-needs': endpoint.needs,
    parameters: [...parametersOf('path', endpoint.params), ...parametersOf('query', endpoint.query)],
    ...(endpoint.body ? { requestBody: requestBodyOf(endpoint, endpoint.body) } : {}),
    responses: {
      200: { description: 'OK', content: { 'application/json': { schema: answerOf(endpoint) } } },
      default: {
        description: 'Failure',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    },
  };
}

function securityOf({ needs }: Endpoint): Schema[] {
  if (needs === 'public') return [];
  return needs === 'second-step' ? [{ bearer: [] }, { loginStep: [] }] : [{ bearer: [] }];
}

function schemaOf(type: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' }) as Schema;
  return schema;
}

function parametersOf(place: 'path' | 'query', type: z.ZodType | undefined): Schema[] {
  if (!type) return [];
  const { properties = {}, required = [] } = schemaOf(type, 'input') as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: { ...schema, ...defaultOf(type, name) },
  }));
}

/**
 * What the server takes for a parameter that is not there. Zod leaves this out of the schema of a
 * parameter that it transforms, such as a number from its digits.
 */
function defaultOf(type: z.ZodType, name: string): Schema {
  const parameter: unknown = type instanceof z.ZodObject ? type.shape[name] : undefined;
  const taken = parameter instanceof z.ZodType ? parameter.safeParse(undefined).data : undefined;
  return taken === undefined ? {} : { default: taken };
}

/** The server reads a call without a body as one without fields. */
function requestBodyOf(endpoint: Endpoint, type: z.ZodType): Schema {
  return { required: !type.safeParse({}).success, content: bodyOf(endpoint, type) };
}

function bodyOf(endpoint: Endpoint, type: z.ZodType): Schema {
  const schema = schemaOf(type, 'input');
  if (endpoint.bodyKind !== 'multipart') return { 'application/json': { schema } };
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  const { fileField = 'attachments' } = endpoint;
  const fields = schema['properties'] as Schema;
  const text = fields[fileField];
  // A field that may also be sent as text takes a single file
  const files = text ? { anyOf: [text, file] } : { type: 'array', items: file };
  const properties = { ...fields, [fileField]: files };
  return { 'multipart/form-data': { schema: { ...schema, properties } }, 'application/json': { schema } };
}

function answerOf(endpoint: Endpoint): Schema {
  const data = schemaOf(endpoint.answer, 'output');
  if (endpoint.flat) return data;
  return {
    type: 'object',
    required: ['success', 'message'],
    properties: {
      success: { const: true },
      message: { type: 'string' },
      ...(endpoint.answer instanceof z.ZodUndefined ? {} : { data }),
      ...(endpoint.paged ? { pagination: schemaOf(pagination, 'output') } : {}),
    },
  };
}
