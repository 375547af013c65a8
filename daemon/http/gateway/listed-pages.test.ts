/** Pages of this machine beside a proxy; the rest is in listed-pages.integration.test.ts, with a real daemon. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { ForeignRequest } from '../requests/errors.ts';
import { allowListedPage } from './listed-pages.ts';

const PAGE = 'http://127.0.0.1:8042';

/** Whether a page may use a private endpoint that lists none. */
async function mayUse(origin: string, headers: IncomingHttpHeaders = {}): Promise<boolean> {
  const request = { url: '/endpoints/lab/mine/v1', method: 'GET', headers, socket: { remoteAddress: '127.0.0.1' } };
  const response = { vary: () => {}, setHeader: () => {} };
  const endpoint = { type: 'private', allowedOrigins: [] };
  const answered = allowListedPage(origin, request as unknown as Request, response as unknown as Response, {
    find: async () => endpoint as never,
    appPages: () => [PAGE],
  });
  return answered.then(
    () => true,
    (error: unknown) => {
      expect(error).toBeInstanceOf(ForeignRequest);
      return false;
    },
  );
}

test('the page of the running app is listed on this machine, whichever proxy the daemon believes', async () => {
  expect(await mayUse(PAGE)).toBe(true);
  expect(await mayUse(PAGE, { 'x-forwarded-for': '192.0.2.7' })).toBe(false);
  expect(await mayUse('http://127.0.0.1:8043')).toBe(false);
});
