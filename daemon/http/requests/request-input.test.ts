import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { EndpointImage } from '../../contract/endpoints/endpoint-image.ts';
import { operations } from '../../contract/operations/operations.ts';
import { InvalidQuery } from '../../shared/invalid-input.ts';
import { requestInput } from './request-input.ts';

/** The refusal of a query by a schema. */
const refusal = (schema: z.ZodObject, query: unknown) =>
  requestInput(
    { ...operations.getDaemonStatus, query: schema },
    [],
    { query } as unknown as Request,
    {} as Response,
  ).catch((error: unknown) => error);

test('the longest issue of our own is reported to its end', async () => {
  const error = await refusal(z.object({ image: EndpointImage }), { image: {} });
  expect(error).toBeInstanceOf(InvalidQuery);
  expect((error as Error).message).toMatch(
    /^The query is invalid \(image: exactly one of hub, .*, custom says .*\)\.$/,
  );
});

test('keys of the caller stay on one line, and are cut with a sign of it', async () => {
  const key = `a\u0000\n${'b'.repeat(1_000)}`;
  const { message } = (await refusal(z.strictObject({}), { [key]: 1 })) as Error;
  expect(Buffer.from(message).every((byte) => byte >= 32)).toBe(true);
  expect(message).toMatch(/b…\)\.$/);
  expect(message.length).toBeLessThan(300);
});
