import type { CrashCause } from '../../contract/apps/diagnosis.ts';

/**
 * Of each cause, whether another version of the app might not crash so (`version`), or it is due to where and with what the
 * app runs (`environment`): of these, a request to a service that may be one of its endpoints (`service`).
 */
export const causeKind = {
  'missing-module': 'version',
  'sdk-too-old': 'version',
  'sdk-too-new': 'version',
  'python-version': 'version',
  'import-error': 'version',
  'syntax-error': 'version',
  'port-in-use': 'environment',
  'camera-busy': 'environment',
  'audio-busy': 'environment',
  'missing-variable': 'environment',
  unauthorized: 'environment',
  'endpoint-asleep': 'service',
  'endpoint-failed': 'service',
  'endpoint-missing': 'environment',
  network: 'service',
  'out-of-memory': 'version',
  'disk-full': 'environment',
  'robot-lost': 'environment',
  'killed-by-signal': 'version',
  exception: 'version',
  unknown: 'version',
} as const satisfies Record<CrashCause, 'version' | 'environment' | 'service'>;
