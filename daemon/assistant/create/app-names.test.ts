import { describe, expect, test } from 'vitest';
import { nameFindings } from '../../app-package/manifest.ts';
import { AppNameUnusable } from '../errors.ts';
import { appNames } from './app-names.ts';

describe('a name gives the package, the class, the project and the title', () => {
  test.each([
    ['My first app', 'my_first_app', 'MyFirstApp', 'my-first-app', 'My first app'],
    ['my-app', 'my_app', 'MyApp', 'my-app', 'My app'],
    ['my_app', 'my_app', 'MyApp', 'my-app', 'My app'],
    ['MyApp', 'my_app', 'MyApp', 'my-app', 'MyApp'],
    ['HTTP server', 'http_server', 'HTTPServer', 'http-server', 'HTTP server'],
    ['r2d2', 'r2d2', 'R2d2', 'r2d2', 'R2d2'],
    ['  many   spaces - and_signs ', 'many_spaces_and_signs', 'ManySpacesAndSigns', 'many-spaces-and-signs', null],
    ['-x', 'x', 'X', 'x', 'X'],
    ['Überraschung für Łódź', 'uberraschung_fur_lodz', 'UberraschungFurLodz', 'uberraschung-fur-lodz', null],
    ['Straße', 'strasse', 'Strasse', 'strasse', 'Straße'],
    ['U\u0308ber', 'uber', 'Uber', 'uber', 'Über'],
  ])('%s', (written, name, className, distribution, title) => {
    expect(appNames(written)).toEqual({
      package: name,
      className,
      distribution,
      title: title ?? written.trim().replace(/\s+/g, ' ').replace(/^m/, 'M'),
    });
    expect(nameFindings(name, distribution)).toEqual([]);
  });
});

describe('an unusable name is refused with the reason, and with a suggestion that is usable', () => {
  test.each([
    ['', null, 'The app needs a name, such as "My first app".'],
    [' \t ', null, 'The app needs a name, such as "My first app".'],
    ['--', null, '"--" has no letters. A name looks like "My first app".'],
    ['🙂', null, 'use letters, digits, spaces, "-" and "_".'],
    ['..', null, 'use letters, digits, spaces, "-" and "_".'],
    ['../evil', 'Evil', 'use letters, digits, spaces, "-" and "_".'],
    ['a\\b', 'A b', 'use letters, digits, spaces, "-" and "_".'],
    ["Bob's robot!", 'Bobs robot', 'use letters, digits, spaces, "-" and "_".'],
    ['a\u0000b', 'A b', 'use letters, digits, spaces, "-" and "_".'],
    ['<b>"&', 'B', 'use letters, digits, spaces, "-" and "_".'],
    ['你好', null, 'Python packages are named with the letters A to Z.'],
    ['Робот 7', null, 'Python packages are named with the letters A to Z.'],
    ['class', 'Class app', 'it is a word of the Python language'],
    ['None', 'None app', 'it is a word of the Python language'],
    ['json', 'Json app', 'a module of Python itself is named so'],
    ['asyncio', 'Asyncio app', 'a module of Python itself is named so'],
    ['numpy', 'Numpy app', 'a Python package that apps use is named so'],
    ['robot', 'My robot app', 'the SDK is named so'],
    ['Robot SDK', 'My robot app', 'the SDK is named so'],
    ['tests', 'Tests app', "an app's tests are in a folder named so"],
    ['build', 'Build app', 'tools have folders of that name'],
    ['7 dwarfs', 'App 7 dwarfs', 'cannot begin with a digit'],
    ['con', 'Con app', 'it is the name of a device on Windows'],
    ['LPT1', 'Lpt1 app', 'it is the name of a device on Windows'],
    ['x'.repeat(51), `X${'x'.repeat(49)}`, 'it has more than 50 characters'],
    ['word '.repeat(20), 'Word word word word word word word word word word', 'it has more than 50 characters'],
  ])('%j', (written, suggestion, reason) => {
    const refusal = refusalOf(written);
    expect(refusal).toMatchObject({ suggestion, message: expect.stringContaining(reason) });
    if (suggestion !== null) expect(appNames(suggestion).title).toBe(suggestion);
  });
});

function refusalOf(written: string): unknown {
  try {
    return appNames(written);
  } catch (error) {
    expect(error).toBeInstanceOf(AppNameUnusable);
    return error;
  }
}
