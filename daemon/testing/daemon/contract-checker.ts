import { isDeepStrictEqual } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as z from 'zod';
import { SimpleError } from '../../contract/common/common.ts';
import type { Operation } from '../../contract/operations/operation.ts';
import { type OperationName, operations } from '../../contract/operations/operations.ts';

export interface CheckedReply {
  readonly status: number;
  readonly contentType: string | null;
  /** Null: an answer to HEAD has none. */
  readonly body: unknown;
}

/** An OpenAPI 3.1 document. */
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

/** What every operation may be refused with, whatever the contract says of it. */
const everywhere: NonNullable<Operation['refusals']> = {
  401: { description: 'From another machine', schema: SimpleError },
  403: { description: 'From another site', schema: SimpleError },
  500: { description: 'A bug', schema: SimpleError },
};

/**
 * Looks at replies twice, the one look independent of the other: with the contract's own schemas, and as a client does
 * that has nothing but OpenAPI documents. An operation that no document describes is wrong too.
 */
export class ContractChecker {
  readonly #ajv = new Ajv2020({
    allErrors: true,
    strict: false, // a document has more than schemas in it
    formats: { cidrv4: true, cidrv6: true, starts_with: true }, // told by their patterns
  });
  readonly #compiled = new Map<string, ValidateFunction>();
  readonly #responses: ReadonlyMap<string, string>;

  /** @param documents as they are served; the first that describes an operation counts */
  constructor(documents: readonly object[]) {
    addFormats(this.#ajv);
    const responses = new Map<string, string>();
    for (const [index, document] of documents.entries()) {
      this.#ajv.addSchema(document, `document-${index}`);
      for (const [path, methods] of Object.entries((document as ApiDocument).paths)) {
        for (const [method, { operationId }] of Object.entries(methods)) {
          const at = `document-${index}#/paths/${pointerPart(path)}/${method}/responses`;
          if (!responses.has(operationId)) responses.set(operationId, at);
        }
      }
    }
    this.#responses = responses;
  }

  /** @returns what is wrong with a reply, a line each */
  problems(name: OperationName, reply: CheckedReply): string[] {
    if (reply.body === null && reply.contentType === null) return ['there is no body'];
    if (!/^application\/json\b/.test(reply.contentType ?? '')) return [`its content type is ${reply.contentType}`];
    const found = [...this.#byContract(name, reply), ...this.#byDocument(name, reply)];
    return found.map((problem) => `${name} answers ${reply.status}: ${problem}`);
  }

  #byContract(name: OperationName, { status, body }: CheckedReply): string[] {
    const { success, refusals }: Operation = operations[name];
    const schema = status === success.status ? success.schema : { ...everywhere, ...refusals }[status]?.schema;
    if (!schema) return ['the contract has no such status'];
    const { data, error } = schema.safeParse(body);
    if (error) return [`by the contract, ${z.prettifyError(error)}`];
    // What a schema leaves out without a word, or fills in, is not what was sent.
    return isDeepStrictEqual(data, body) ? [] : ['the body has more or less than the contract says'];
  }

  #byDocument(name: OperationName, { status, body }: CheckedReply): string[] {
    const responses = this.#responses.get(name);
    if (responses === undefined) return ['no document describes the operation'];
    const validate = this.#validatorAt(`${responses}/${status}/content/application~1json/schema`);
    if (!validate) return ['the document has no such status'];
    return validate(body) ? [] : [`by the document, ${this.#ajv.errorsText(validate.errors)}`];
  }

  #validatorAt($ref: string): ValidateFunction | null {
    try {
      const validate = this.#compiled.get($ref) ?? this.#ajv.compile({ $ref });
      this.#compiled.set($ref, validate);
      return validate;
    } catch (error) {
      if (error instanceof Error && error.message.startsWith("can't resolve reference")) return null;
      throw error;
    }
  }
}

const pointerPart = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
