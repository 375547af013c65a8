import type { Llama, LlamaGrammar } from 'node-llama-cpp';
import { ApiError } from './api-error.ts';
import type { ResponseFormat } from './generation-request.ts';

const MAX_SCHEMA_LENGTH = 100_000;

/** The keywords of JSON Schema that the grammar honours, or that change no value. */
const known = new Set([
  ...['type', 'const', 'enum', 'oneOf', 'properties', 'required', 'additionalProperties', 'items', 'prefixItems'],
  ...['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties', 'format', '$ref', '$defs'],
  ...['title', 'description', 'default', 'examples', '$schema', '$id', '$comment'],
]);

/**
 * The grammar that makes a model answer in the wanted format; null: any text.
 * @throws ApiError 400 when the schema has something that the grammar would leave out
 */
export async function grammarFor(llama: Llama, format: ResponseFormat | null): Promise<LlamaGrammar | null> {
  if (format === null || format.type === 'text') return null;
  if (format.type === 'json_object') return await llama.getGrammarFor('json');
  const { schema } = format.json_schema;
  const param = 'response_format.json_schema.schema';
  if (JSON.stringify(schema).length > MAX_SCHEMA_LENGTH) throw new ApiError(400, 'The schema is too long.', { param });
  const unknown = unknownKeyword(schema);
  if (unknown !== null) {
    throw new ApiError(400, `The built-in runtime cannot honour "${unknown}" in a schema.`, { param });
  }
  try {
    return await llama.createGrammarForJsonSchema(schema as never);
  } catch (error) {
    throw new ApiError(400, `The schema cannot be used: ${(error as Error).message}`, { param });
  }
}

function unknownKeyword(schema: unknown): string | null {
  if (typeof schema !== 'object' || schema === null) return null;
  for (const [keyword, value] of Object.entries(schema)) {
    if (!known.has(keyword)) return keyword;
    const inner = schemasIn(keyword, value)
      .map(unknownKeyword)
      .find((found) => found !== null);
    if (inner !== undefined) return inner;
  }
  return null;
}

function schemasIn(keyword: string, value: unknown): unknown[] {
  if (keyword === 'properties' || keyword === '$defs') return Object.values((value as object) ?? {});
  if (keyword === 'oneOf' || keyword === 'prefixItems') return Array.isArray(value) ? value : [];
  return keyword === 'items' || keyword === 'additionalProperties' ? [value] : [];
}
