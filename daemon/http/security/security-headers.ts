import { randomBytes } from 'node:crypto';
import type { RequestHandler, Response } from 'express';

/** Sets the security headers of every response: only our own scripts, workers, styles and frames, no sniffing of content types, no referrer. */
export const securityHeaders: RequestHandler = (_request, response, next) => {
  response.setHeader(POLICY, withoutNonce);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), usb=(), serial=()');
  next();
};

/** Allows scripts and styles with a fresh nonce in a response: for the styles that a page's library creates at run time. @returns the nonce */
export function allowNonce(response: Response): string {
  const nonce = randomBytes(16).toString('base64');
  response.setHeader(POLICY, contentSecurityPolicy(` 'nonce-${nonce}'`));
  return nonce;
}

const POLICY = 'Content-Security-Policy';

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self'${nonce}`,
    `style-src 'self'${nonce}`,
    "worker-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const withoutNonce = contentSecurityPolicy('');
