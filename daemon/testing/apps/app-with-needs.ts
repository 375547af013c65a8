import { appSource, mainBlock, writeAppPackage } from './app-packages.ts';

/** One line of `[tool.robot.needs]`. */
export const CHAT = 'chat = { task = "text-generation" }';

/**
 * Writes the package of an app that asks its endpoint `chat`, if it has one. It prints its key, on both streams, and the
 * status and the text of the answer; then it does what its variable MODE says: waits, crashes, or asks until it fails.
 * @param needs lines of `[tool.robot.needs]`
 * @returns its folder
 */
export function writeAppWithNeeds(
  folder: string,
  { name = 'talks', version = '1.0.0', needs = [CHAT] }: { name?: string; version?: string; needs?: readonly string[] },
): Promise<string> {
  const className = 'App';
  const mainSource = `${appSource({
    className,
    before: `import json, os, sys, time, urllib.request\n\n${ask}`,
    run: [
      'key = os.environ.get("ROBOT_ENDPOINT_CHAT_KEY", "none")',
      'print("the key is", key, flush=True)',
      'print("the key is", key, file=sys.stderr, flush=True)',
      'print("needs", json.dumps(sorted(k for k in os.environ if k.startswith(("ROBOT_ENDPOINT", "OPENAI")))), flush=True)',
      'if "ROBOT_ENDPOINT_CHAT_URL" in os.environ:',
      '    print("answer", ask(key), flush=True)',
      'mode = os.environ.get("MODE", "wait")',
      'if mode == "crash":',
      '    raise RuntimeError("the key was " + key)',
      'while mode == "ask":',
      '    ask(key)',
      '    time.sleep(0.05)',
      'print("up", flush=True)',
      'stop_event.wait()',
    ],
  })}${mainBlock(className)}`;
  const table = `\n[tool.robot.needs]\n${needs.join('\n')}\n`;
  return writeAppPackage(folder, { name, version, mainSource, pyproject: (text) => text + table });
}

/** With the key in the body, too: the test's model server tells it to the test. */
const ask = `def ask(key):
    url = os.environ["ROBOT_ENDPOINT_CHAT_URL"] + "/chat/completions"
    message = {"role": "user", "content": "Hello"}
    body = {"model": os.environ["ROBOT_ENDPOINT_CHAT_MODEL"], "messages": [message], "max_tokens": 4, "user": key}
    headers = {"Authorization": "Bearer " + key, "Content-Type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        return response.status, response.read(60).decode()
`;
