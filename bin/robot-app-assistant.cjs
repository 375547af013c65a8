#!/usr/bin/env node
// The command robot-app-assistant. Small, plain and not built: it can say that nothing is built yet.
require('./run-built.cjs').runBuilt({
  name: 'robot-app-assistant',
  script: 'assistant',
  file: 'app-assistant.cjs',
  run: 'appAssistant',
});
