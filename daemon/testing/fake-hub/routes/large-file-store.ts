import { createHmac, randomBytes } from 'node:crypto';
import express, { type Express, type Response } from 'express';
import { systemNow } from '../../../shared/clock.ts';
import type { LargeFiles } from '../repository/large-files.ts';
import { queryOf } from './paths.ts';
import { sendBytes } from './send-bytes.ts';

const MAX_BYTES = '256mb';
const LIFE_S = 3600;

/**
 * Stores the contents of large files at a separate origin, like the real hub, so that clients do not send their token.
 * Its addresses are signed; requests with a token are refused.
 */
export class LargeFileStore {
  /** Set once it listens. */
  origin = '';
  readonly app: Express;
  readonly #key = randomBytes(32);

  constructor(files: LargeFiles) {
    this.app = express();
    this.app.use((req, res, next) => {
      const query = queryOf(req);
      const expires = query.get('Expires') ?? '';
      const { authorization } = req.headers;
      if (authorization !== undefined) refuse(res, 400, 'InvalidArgument', 'Only one auth mechanism allowed');
      else if (Number(expires) * 1000 < systemNow().getTime()) refuse(res, 403, 'AccessDenied', 'Request has expired');
      else if (query.get('Signature') === this.#sign(methodOf(req.method), req.path, expires)) next();
      else refuse(res, 403, 'SignatureDoesNotMatch', 'The signature does not match');
    });
    this.app.get('/large-files/:oid', (req, res) => {
      const bytes = files.get(req.params.oid);
      if (!bytes) return refuse(res, 404, 'NoSuchKey', 'The specified key does not exist');
      res.type('application/octet-stream');
      sendBytes(req, res, bytes, req.params.oid);
    });
    this.app.put('/large-files/:oid', express.raw({ type: () => true, limit: MAX_BYTES }), (req, res) => {
      const bytes: Buffer = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
      const { oid } = files.keep(bytes);
      if (oid !== req.params.oid) return refuse(res, 400, 'BadDigest', 'The content does not match its hash');
      res.set('ETag', `"${oid}"`).end();
    });
  }

  /** An address with a signature that permits one method. */
  signed(method: 'GET' | 'PUT', oid: string): string {
    const path = `/large-files/${oid}`;
    const expires = String(Math.floor(systemNow().getTime() / 1000) + LIFE_S);
    return `${this.origin}${path}?Expires=${expires}&Signature=${this.#sign(method, path, expires)}`;
  }

  #sign(method: string, path: string, expires: string): string {
    return createHmac('sha256', this.#key).update(`${method}\n${path}\n${expires}`).digest('hex');
  }
}

const methodOf = (method: string) => (method === 'HEAD' ? 'GET' : method);

function refuse(res: Response, status: number, code: string, message: string): void {
  res.status(status).type('application/xml');
  res.send(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}
