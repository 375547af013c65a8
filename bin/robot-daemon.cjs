#!/usr/bin/env -S node --max-semi-space-size=2
// The command robot-daemon. Small, plain and not built: it can say that nothing is built yet.
// The flag has V8 collect the short-lived garbage of the 50 Hz loop in small portions: at rest that is 12 MB less.
require('./run-built.cjs').runBuilt({
  name: 'robot-daemon',
  script: 'daemon',
  file: 'command-line.cjs',
  run: 'commandLine',
});
