import type { CrashCause } from '../../contract/apps/diagnosis.ts';

/**
 * Recognizes one kind of crash. A placeholder in a text is a named group of `sign`, or `{sdk}` (the SDK's version),
 * `{package}` (the package that provides the group `module`), `{at}` (the innermost frame of the traceback), `{own}`
 * (the innermost frame in the app's own code), `{owner}` and `{version}` (of the installed package that lacks `module`).
 */
export interface CrashRule {
  readonly cause: CrashCause;
  /** Matches a line of the exception's message; without an exception, one of the last lines. */
  readonly sign: RegExp;
  /** Another line must match this: in the same traceback, or shortly before it. */
  readonly nearby?: RegExp;
  /** Requires the group `module` to be the app's own package or a part of it. */
  readonly ownModule?: true;
  /** Requires that an installed package lacks the group `module`. */
  readonly lacking?: true;
  readonly message: string;
  readonly action: string;
}

/** Rules of one cause, with the same advice. */
export const alike = (
  cause: CrashCause,
  action: string,
  rules: readonly Omit<CrashRule, 'cause' | 'action'>[],
): readonly CrashRule[] => rules.map((rule) => ({ ...rule, cause, action }));

const setKey = 'Check the key or token for this service, then start it again.';
const wakeEndpoint = 'Wake or resume the endpoint, wait until it is ready, then start it again.';
const checkNetwork = 'Check the connection to the internet, then start it again.';
const checkServer = 'Start that server, or correct its address, then start it again.';
const freeMemory = 'Close other programs, then start it again.';
const freePort = 'Stop the program that uses the port, then start it again.';
const freeCamera = 'Connect the camera, stop other programs that use it, then start it again.';
const freeSound = 'Connect the sound card, stop other programs that use it, then start it again.';

/** Failures between an app and the computer, its devices or remote services. */
export const environmentRules: readonly CrashRule[] = [
  // Resources that are full or in use by another program.
  {
    cause: 'disk-full',
    sign: /\[Errno 28\]|\[Errno 122\]|\[WinError 112\]|No space left on device|database or disk is full/,
    message: 'The disk is full.',
    action: 'Free some space, then start it again.',
  },
  {
    cause: 'out-of-memory',
    sign: /CUDA out of memory|CUDA error: out of memory|MPS backend out of memory|cuda\.OutOfMemoryError/,
    message: 'The memory of the graphics card is full.',
    action: 'Close other programs that use the graphics card, or choose a smaller model, then start it again.',
  },
  ...alike('out-of-memory', freeMemory, [
    {
      sign: /MemoryError: Unable to allocate (?<size>[\d.]+ \w+)/,
      message: 'The memory ran out: it requested {size} at once.',
    },
    {
      sign: /^(?:\w+\.)*MemoryError(?::|$)|\[Errno 12\]|std::bad_alloc|can't allocate memory|Insufficient memory/,
      message: 'The memory ran out.',
    },
  ]),
  ...alike('camera-busy', freeCamera, [
    {
      sign: /Device or resource busy.*\/dev\/video\d|\/dev\/video\d.*(?:Device or resource busy|Permission denied)/,
      message: 'The camera cannot be opened. Another program likely uses it.',
    },
    {
      sign: /camera|!_src\.empty\(\)|'NoneType' object|\bframe\b/i,
      nearby:
        /VIDEOIO.*(?:can't open camera|can't be used to capture by index)|can't open camera by index|\/dev\/video\d.*busy/i,
      message: 'The camera cannot be opened. It is not connected, or another program uses it.',
    },
    {
      sign: /(?:could not|couldn't|cannot|can't|can not|failed to|unable to) (?:open|access|start|find|read)\b.{0,40}\b(?:camera|webcam|video capture)/i,
      message: 'The camera cannot be opened. It is not connected, or another program uses it.',
    },
  ]),
  {
    cause: 'audio-busy',
    sign: /-9985|PaErrorCode|\[Errno -99\d\d\]|^miniaudio\.MiniaudioError|Error querying device|No Default (?:Input|Output) Device|(?:pcm|snd_|audio).*Device or resource busy|\/dev\/snd\/.*busy/i,
    message: 'The sound card cannot be used. It is not connected, or another program uses it.',
    action: freeSound,
  },
  ...alike('port-in-use', freePort, [
    {
      sign: /(?:\[(?:Errno|WinError) (?:98|48|10048)\]|address already in use|EADDRINUSE).*\('[^']*', (?<port>\d+)/i,
      message: 'Port {port} is in use by another program.',
    },
    {
      sign: /\[(?:Errno|WinError) (?:98|48|10048)\]|address already in use|EADDRINUSE|Cannot find empty port/i,
      message: 'A port that it needs is in use by another program.',
    },
  ]),
  // Services.
  {
    cause: 'endpoint-failed',
    sign: /There is no endpoint \\?"(?<id>[a-z0-9-]+(?:\/[a-z0-9-]+)?)\\?"/,
    message: 'The endpoint {id} that it uses was deleted.',
    action: "Choose another endpoint on the app's page, then start it again.",
  },
  {
    cause: 'endpoint-asleep',
    sign: /endpoint is (?<state>paused|scaled|in state|not ready|initiali[sz]ing|asleep)|is currently loading|scaled ?to ?zero/i,
    message: 'The endpoint that it uses is not ready: it is paused, asleep or still starting.',
    action: wakeEndpoint,
  },
  ...alike('unauthorized', setKey, [
    {
      sign: /\b(?<status>40[13]) Client Error\b.* for url: \w+:\/\/(?<host>[^/\s'"?@]+)/,
      message: '{host} refused the request ({status}). The key or token is likely missing, wrong or expired.',
    },
    {
      sign: /Client error '(?<status>40[13]) .* for url '\w+:\/\/(?<host>[^/\s'"?@]+)/,
      message: '{host} refused the request ({status}). The key or token is likely missing, wrong or expired.',
    },
    {
      sign: /\b40[13] Client Error|Error code: 40[13]\b|HTTP Error 40[13]|rejected WebSocket connection: HTTP 40[13]|ResponseError: 40[13]\b|Incorrect API key|Invalid user token|\bAuthenticationError\b|PermissionDeniedError|GatedRepoError|LocalTokenNotFoundError|Invalid (?:API key|credentials)/i,
      message: 'A service refused the request. The key or token is likely missing, wrong or expired.',
    },
  ]),
  ...alike('endpoint-asleep', wakeEndpoint, [
    {
      sign: /\b(?<status>50[234]) Server Error\b.* for url: \w+:\/\/(?<host>[^/\s'"?@]+)|Server error '(?<code>50[234]) .* for url '\w+:\/\/(?<name>[^/\s'"?@]+)/,
      message: '{host}{name} is not ready ({status}{code}). The endpoint is likely asleep or still starting.',
    },
    {
      sign: /Error code: (?<status>50[234])\b|HTTP Error (?<code>50[234])|WebSocket connection: HTTP (?<answer>50[234])|ResponseError: (?<detail>50[234])\b/,
      message:
        'A service is not ready ({status}{code}{answer}{detail}). The endpoint is likely asleep or still starting.',
    },
  ]),
  ...alike('network', checkNetwork, [
    {
      sign: /host='(?<host>[^']+)'.*(?:Failed to resolve|Name or service not known|name resolution|getaddrinfo failed|nodename nor servname)/,
      message: 'The name {host} cannot be found. There is likely no connection to the internet.',
    },
    {
      sign: /Name or service not known|name resolution|getaddrinfo failed|nodename nor servname|No address associated with hostname/,
      message: 'A server cannot be found by its name. There is likely no connection to the internet.',
    },
  ]),
  ...alike('network', checkServer, [
    {
      sign: /host='(?<host>[^']+)', port='?(?<port>\d+).*(?:Connection refused|\[WinError 10061\]|actively refused)/,
      message: 'Nothing answers at {host}:{port}.',
    },
    { sign: /Connect call failed \('(?<host>[^']+)', (?<port>\d+)/, message: 'Nothing answers at {host}:{port}.' },
    {
      sign: /Connection ?refused|\[WinError 10061\]|actively refused|All connection attempts failed/i,
      message: 'A server that it needs does not answer.',
    },
  ]),
  ...alike('network', checkNetwork, [
    { sign: /host='(?<host>[^']+)'.*timed out/i, message: '{host} did not answer in time.' },
    {
      sign: /Network is unreachable|Connection reset by peer|CERTIFICATE_VERIFY_FAILED|^(?:[\w.]+\.)?(?:ConnectError|ConnectTimeout|ReadTimeout|APIConnectionError|APITimeoutError|ConnectionResetError)\b/,
      message: 'The connection to a service failed.',
    },
  ]),
];
