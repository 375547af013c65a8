import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import { ApiError } from './api-error.ts';

export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Reads and parses a JSON body. @throws ApiError 400, 413 */
export async function readBody<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const parsed = schema.safeParse(parseJson(await readText(request)));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const param = issue?.path.join('.') ?? '';
  const code = issue?.code === 'custom' && issue.params?.['code'];
  throw new ApiError(400, param ? `${param}: ${issue?.message}` : (issue?.message ?? 'invalid body'), {
    ...(param ? { param } : {}),
    ...(typeof code === 'string' ? { code } : {}),
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(400, 'The body is not valid JSON.');
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const tooLarge = new ApiError(413, `The body is larger than ${MAX_BODY_BYTES / 1024 / 1024} MB.`);
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
