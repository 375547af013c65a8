import { expect, test } from 'vitest';
import { ownFile } from './crash-traceback.ts';

test.each([
  ['/home/ada/env/lib/python3.11/site-packages/hello_wave/main.py', 'hello_wave/main.py'],
  ['/home/ada/env/lib/python3.11/site-packages/hello_wave.py', 'hello_wave.py'],
  ['C:\\Users\\ada\\env\\Lib\\site-packages\\hello_wave\\moves\\bow.py', 'hello_wave/moves/bow.py'],
  ['/home/ada/hello_wave/hello_wave/main.py', 'hello_wave/main.py'],
  ['hello_wave/main.py', 'hello_wave/main.py'],
  ['/home/ada/hello_wave/.venv/lib/python3.11/site-packages/requests/api.py', null],
  ['/home/ada/env/lib/python3.11/site-packages/robot/robot.py', null],
  ['/home/ada/env/lib/python3.11/site-packages/hello_wave_tools/main.py', null],
  ['<frozen runpy>', null],
])('%s is %s', (file, own) => {
  expect(ownFile(file, 'hello_wave')).toBe(own);
});

test("Python's own package of the same name is not the app's", () => {
  expect(ownFile('/usr/lib/python3.11/json/decoder.py', 'json')).toBeNull();
  expect(ownFile('C:\\Python311\\Lib\\json\\decoder.py', 'json')).toBeNull();
  expect(ownFile('/home/ada/main.py', '')).toBeNull();
});
