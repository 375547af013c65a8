import { isChatTemplate } from '../../contract/endpoints/chat-template.ts';
import type { EndpointModel } from '../../contract/endpoints/endpoint-model.ts';
import { llamaWords } from './llama-arguments.ts';
import type { AddIssue } from './problems.ts';
import { taskUses } from './task-use.ts';

/** Beside the image's field, an argument and a variable give llama.cpp's server a template. */
const GIVES_TEMPLATE: readonly string[] = ['--chat-template', 'LLAMA_ARG_CHAT_TEMPLATE'];
/** They make the server read the name of a template as its text. */
const READS_TEXT: readonly string[] = ['--jinja', 'LLAMA_ARG_JINJA'];
/** The one name that it knows also then. */
const ALWAYS_A_NAME = 'chatml';

/**
 * Whether an endpoint continues text and has no chats: its model has no chat template, and its owner chose none. What a
 * command of its own does is not known. One that computes embeddings or ranks has no need of chats.
 * @param brings whether the model's file has a template; null: not known
 */
export function lacksChatTemplate(model: EndpointModel, brings: boolean | null): boolean {
  const image = model.image.llamacpp;
  if (brings !== false || !image || image.mode || image.chatTemplate || model.command?.length) return false;
  const use = taskUses[model.task];
  if (use === 'embeddings' || use === 'reranking') return false;
  return !settingsOf(model).some((name) => GIVES_TEMPLATE.includes(name));
}

/** Checks that a template is chosen once, where there are chats, and in a way in which the server takes its name for one. */
export function checkChatTemplate(model: EndpointModel, addIssue: AddIssue): void {
  const { chatTemplate, mode } = model.image.llamacpp ?? {};
  if (!chatTemplate) {
    checkGivenNames(model, addIssue);
    return;
  }
  const path = ['image', 'llamacpp', 'chatTemplate'];
  if (mode) addIssue(path, `In the mode ${mode} there are no chats: leave chatTemplate out.`);
  const second = settingsOf(model).find((name) => GIVES_TEMPLATE.includes(name) || READS_TEXT.includes(name));
  if (second !== undefined) addIssue(path, `${second} decides about templates too: leave it or chatTemplate out.`);
}

/** With its default settings, the server takes the text `llama3` for every prompt, and drops the chat without a word. */
function checkGivenNames(model: EndpointModel, addIssue: AddIssue): void {
  const words = llamaWords(model.args);
  if (words.includes('--no-jinja')) return;
  const check = (path: string[], name: string | null | undefined, where: string) => {
    if (name === ALWAYS_A_NAME || !isChatTemplate(name)) return;
    const message = `llama.cpp's server takes "${name}" ${where} for the text of a template: choose it in the image's field chatTemplate instead.`;
    addIssue(path, message);
  };
  check(['args'], words[words.lastIndexOf('--chat-template') + 1], 'after --chat-template');
  for (const field of ['env', 'secrets'] as const) {
    for (const [name, value] of Object.entries(model[field])) {
      if (name.toUpperCase() === 'LLAMA_ARG_CHAT_TEMPLATE') check([field, name], value, `in ${name}`);
    }
  }
}

/** The words of its arguments, and the names of its variables. */
const settingsOf = (model: EndpointModel): readonly string[] => [
  ...llamaWords(model.args),
  ...[model.env, model.secrets].flatMap((variables) => Object.keys(variables)).map((name) => name.toUpperCase()),
];
