import { curlText } from '../../../daemon/client/curl-text.ts';

/** A request to an endpoint. */
export interface EndpointRequestText {
  readonly method: string;
  readonly url: string;
  /** JSON, or another text; null: none. */
  readonly body: string | null;
  /** Whether the endpoint asks for a token. */
  readonly needsToken: boolean;
}

export const languages = [
  { value: 'curl', label: 'curl' },
  { value: 'python', label: 'Python' },
  { value: 'javascript', label: 'JavaScript' },
] as const;
export type Language = (typeof languages)[number]['value'];

/** The variable that holds the token: a token is never shown. */
export const TOKEN_VARIABLE = 'ROBOT_TOKEN';

/** A request as a program: it reads the token from an environment variable. */
export function snippet(language: Language, request: EndpointRequestText): string {
  return { curl, python, javascript }[language](request);
}

function curl({ needsToken, ...request }: EndpointRequestText): string {
  return curlText({ ...request, tokenVariable: needsToken ? TOKEN_VARIABLE : null });
}

/** With the standard library only. JSON strings are valid in Python. */
function python({ method, url, body, needsToken }: EndpointRequestText): string {
  const headers = [
    needsToken && `        "Authorization": f"Bearer {os.environ['${TOKEN_VARIABLE}']}",`,
    body !== null && '        "Content-Type": "application/json",',
  ].filter((line) => line !== false);
  return [
    ...(needsToken ? ['import os'] : []),
    'import urllib.error',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    `    method=${JSON.stringify(method)},`,
    ...(body === null ? [] : [`    data=${JSON.stringify(body)}.encode(),`]),
    ...(headers.length === 0 ? [] : ['    headers={', ...headers, '    },']),
    ')',
    'try:',
    '    with urllib.request.urlopen(request) as response:',
    '        for line in response:  # a streamed answer comes line by line',
    '            print(line.decode(), end="", flush=True)',
    'except urllib.error.HTTPError as refusal:',
    '    raise SystemExit(f"{refusal}: {refusal.read().decode()}")',
  ].join('\n');
}

function javascript({ method, url, body, needsToken }: EndpointRequestText): string {
  const headers = [
    needsToken && `    authorization: \`Bearer \${process.env.${TOKEN_VARIABLE}}\`,`,
    body !== null && "    'content-type': 'application/json',",
  ].filter((line) => line !== false);
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body === null ? [] : [`  body: JSON.stringify(${javascriptValue(body)}),`]),
    '});',
    'for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) process.stdout.write(chunk);',
  ].join('\n');
}

/** A body that is JSON is an object of the program; another one stays a text. */
function javascriptValue(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2).replaceAll('\n', '\n  ');
  } catch {
    return JSON.stringify(body);
  }
}
