import type { Request, Response } from 'express';
import { Refusal } from '../refusal.ts';

/** Sends all bytes or the requested range. @throws Refusal for an invalid range */
export function sendBytes(req: Request, res: Response, bytes: Buffer, etag: string): void {
  res.set({ ETag: `"${etag}"`, 'Accept-Ranges': 'bytes' });
  const ranges = req.range(bytes.length);
  if (ranges === -1) {
    res.set('Content-Range', `bytes */${bytes.length}`);
    throw new Refusal(416, 'Range Not Satisfiable');
  }
  const [range] = Array.isArray(ranges) ? ranges : [];
  if (!range) {
    res.send(bytes);
    return;
  }
  res.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${bytes.length}`);
  res.send(bytes.subarray(range.start, range.end + 1));
}
