import type { AppNeed } from '../../../daemon/contract/apps/needs.ts';

const models: Readonly<Record<string, string>> = {
  'text-generation': 'a chat model',
  'image-text-to-text': 'a chat model that sees images',
  'any-to-any': 'a model for text, images and sound',
  'automatic-speech-recognition': 'a speech recognition model',
  'feature-extraction': 'an embedding model',
  'sentence-similarity': 'a sentence similarity model',
  'text-ranking': 'a reranking model',
  'text-to-image': 'an image generation model',
};

/** A model for a task, with its article; for the task `custom`, the app's own name of the need says what it is for. */
export const modelFor = ({ name, task }: Pick<AppNeed, 'name' | 'task'>): string =>
  models[task] ?? `a model for ${task === 'custom' ? name : task.replaceAll('-', ' ')}`;

const ofFiles: ReadonlySet<string> = new Set(['text-generation', 'feature-extraction', 'text-ranking']);

/** Whether a model file of this machine may serve a task. */
export const isServedByFile = (task: string): boolean => ofFiles.has(task);

/** `Needs a chat model; can use an embedding model`; null: it uses none. */
export function needsText(needs: readonly AppNeed[]): string | null {
  const list = (optional: boolean) => listed(needs.filter((need) => need.optional === optional));
  const [required, optional] = [list(false), list(true)];
  if (required && optional) return `Needs ${required}; can use ${optional}`;
  if (required) return `Needs ${required}`;
  return optional && `Can use ${optional}`;
}

function listed(needs: readonly AppNeed[]): string | null {
  const names = [...new Set(needs.map(modelFor))];
  const last = names.pop();
  if (last === undefined) return null;
  return names.length > 0 ? `${names.join(', ')} and ${last}` : last;
}

/** When a change of an app's models or variables applies. */
export const appliesText = (isRunning: boolean): string =>
  isRunning ? 'Restart the app to apply a change.' : 'A change applies when the app starts.';

/** Of an endpoint whose task says nothing about its use. */
export const customTaskText = 'Its task is “custom”: check yourself whether it suits this app.';

/** @param model with its article: `a chat model` */
export const noEndpointText = (model: string): string => `There is no endpoint with ${model} yet.`;

/** @param endpoint its namespace and its name */
export const goneText = (endpoint: string): string => `${endpoint} was deleted: choose another endpoint.`;
