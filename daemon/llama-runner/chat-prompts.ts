import type { ChatHistoryItem, ChatWrapper, LlamaModel, Token } from 'node-llama-cpp';
import { ApiError } from './api-error.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A template that is chosen by name: the prompt is the one that llama.cpp's server makes by the same name. */
export type NamedTemplate = 'chatml' | 'llama3';

/** The input of a generation, and the texts that end it beside the model's own end tokens. */
export interface Prompt {
  readonly tokens: readonly Token[];
  readonly stopTokens: ReadonlySet<Token>;
  readonly stopTexts: readonly string[];
}

/** Turns requests into tokens, chats by the template that was chosen, or by the one in the model's file. */
export class ChatPrompts {
  readonly #model: LlamaModel;
  readonly #wrapper: ChatWrapper;

  /** @param template null: the one in the model's file */
  static async create(model: LlamaModel, template: NamedTemplate | null): Promise<ChatPrompts> {
    if (template !== null) return new ChatPrompts(model, await namedWrapper(template));
    return new ChatPrompts(model, (await fromTemplate(model)) ?? (await fromNames(model)));
  }

  private constructor(model: LlamaModel, wrapper: ChatWrapper) {
    this.#model = model;
    this.#wrapper = wrapper;
  }

  /**
   * The prompt of a chat. An answer of the assistant at the end is continued.
   * @throws ApiError 400 when the template refuses the messages
   */
  prompt(messages: readonly ChatMessage[]): Prompt {
    const history = messages.map(historyItem);
    if (messages.at(-1)?.role !== 'assistant') history.push({ type: 'model', response: [] });
    const { contextText, stopGenerationTriggers } = this.#render(history);
    const stops = stopGenerationTriggers
      .map((trigger) => ({ text: trigger.toString(), tokens: trigger.tokenize(this.#model.tokenizer) }))
      // A template that has a line break after each answer does not mean that every line break ends one.
      .filter(({ text }) => text.trim() !== '');
    return {
      tokens: this.#withStart(contextText.tokenize(this.#model.tokenizer)),
      stopTokens: new Set(stops.flatMap(({ tokens }) => (tokens.length === 1 ? tokens : []))),
      stopTexts: stops.flatMap(({ text, tokens }) => (tokens.length > 1 ? [text] : [])),
    };
  }

  /** The prompt of a completion. Names of special tokens in a text become these tokens. */
  textPrompt(text: string | readonly number[]): Prompt {
    const tokens = typeof text === 'string' ? this.#withStart(this.#model.tokenize(text, true)) : (text as Token[]);
    return { tokens, stopTokens: new Set(), stopTexts: [] };
  }

  #render(chatHistory: ChatHistoryItem[]) {
    try {
      return this.#wrapper.generateContextState({ chatHistory });
    } catch (error) {
      throw new ApiError(400, `The model's chat template refuses these messages: ${(error as Error).message}`, {
        param: 'messages',
      });
    }
  }

  /** Prepends the token that begins a text, if the model has one. */
  #withStart(tokens: Token[]): Token[] {
    const { bos, shouldPrependBosToken } = this.#model.tokens;
    if (bos === null || tokens[0] === bos || (!shouldPrependBosToken && tokens.length > 0)) return tokens;
    return [bos, ...tokens];
  }
}

/** The format of a template that is chosen by name. */
export async function namedWrapper(template: NamedTemplate): Promise<ChatWrapper> {
  const { ChatMLChatWrapper, Llama3ChatWrapper } = await import('node-llama-cpp');
  return template === 'chatml' ? new ChatMLChatWrapper() : new Llama3ChatWrapper();
}

/** null: the file has no template, or one that cannot be used. */
async function fromTemplate(model: LlamaModel): Promise<ChatWrapper | null> {
  const template = model.fileInfo.metadata.tokenizer.chat_template?.trim();
  if (!template) return null;
  const { JinjaTemplateChatWrapper } = await import('node-llama-cpp');
  const { tokenizer } = model;
  try {
    return new JinjaTemplateChatWrapper({ template, tokenizer, functionCallMessageTemplate: 'noJinja' });
  } catch (error) {
    process.stderr.write(`The model's chat template cannot be used: ${(error as Error).message}\n`);
    return null;
  }
}

/** The format that the names in the file suggest. */
async function fromNames(model: LlamaModel): Promise<ChatWrapper> {
  const { ChatMLChatWrapper, resolveChatWrapper } = await import('node-llama-cpp');
  return resolveChatWrapper(model, { warningLogs: false, noJinja: true }) ?? new ChatMLChatWrapper();
}

function historyItem({ role, content }: ChatMessage): ChatHistoryItem {
  if (role === 'assistant') return { type: 'model', response: [content] };
  return { type: role, text: content };
}
