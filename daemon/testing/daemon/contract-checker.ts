import { isDeepStrictEqual } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as z from 'zod';
import { commonRefusals, type Operation, refusalsOf } from '../../contract/operations/operation.ts';
import { type OperationName, operations } from '../../contract/operations/operations.ts';

export interface CheckedReply {
  readonly status: number;
  readonly contentType: string | null;
  /** Null: no body, as for HEAD. */
  readonly body: unknown;
}

/** An OpenAPI 3.1 document. */
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

/**
 * Checks replies in two independent ways: with the contract's schemas, and with the OpenAPI documents alone. An
 * operation that no document describes is a problem too.
 */
export class ContractChecker {
  readonly #ajv = new Ajv2020({
    allErrors: true,
    strict: false, // a document contains more than schemas
    formats: { cidrv4: true, cidrv6: true, starts_with: true }, // their patterns check these
  });
  readonly #compiled = new Map<string, ValidateFunction>();
  readonly #responses: ReadonlyMap<string, string>;

  /** @param documents served documents; the first that describes an operation counts */
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

  /** @returns the problems of a reply, a line each */
  problems(name: OperationName, reply: CheckedReply): string[] {
    const { isConditional }: Operation['success'] = operations[name].success;
    if (isConditional && reply.status === 304) return reply.body === null ? [] : ['304 has a body'];
    if (reply.body === null && reply.contentType === null) return ['there is no body'];
    if (!/^application\/json\b/.test(reply.contentType ?? '')) return [`its content type is ${reply.contentType}`];
    const found = [...this.#byContract(name, reply), ...this.#byDocument(name, reply)];
    return found.map((problem) => `${name} answers ${reply.status}: ${problem}`);
  }

  #byContract(name: OperationName, { status, body }: CheckedReply): string[] {
    const operation: Operation = operations[name];
    const { success } = operation;
    const schema =
      status === success.status ? success.schema : { ...commonRefusals, ...refusalsOf(operation) }[status]?.schema;
    if (!schema) return ['the contract has no such status'];
    const { data, error } = schema.safeParse(body);
    if (error) return [`by the contract, ${z.prettifyError(error)}`];
    // A schema may silently drop or fill in members.
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
