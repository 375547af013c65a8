import * as z from 'zod';
import { ListTask } from '../catalog/catalog.ts';
import { namedStrictly } from '../common/common.ts';
import { EndpointImage } from './endpoint-image.ts';
import { Environment, ProcessText, variables } from './endpoint-values.ts';

export const Framework = z.enum(['custom', 'pytorch', 'llamacpp']);
export type Framework = z.infer<typeof Framework>;

/** The tasks of endpoints: more than the catalog filters by. */
export const EndpointTask = z.enum([...ListTask.options, 'sentence-embeddings', 'sentence-ranking']);
export type EndpointTask = z.infer<typeof EndpointTask>;

/** `<owner>/<name>`. */
export const Repository = z
  .string()
  .max(200)
  .regex(/^[\w.-]+\/[\w.-]+$/, 'owner/name');

/** A commit or a branch. */
export const Revision = z.string().min(1).max(200);

const words = z.array(ProcessText).max(1_000).nullable();

export const modelFields = {
  repository: Repository,
  /** A commit or a branch; null: the latest. */
  revision: Revision.nullable(),
  framework: Framework,
  task: EndpointTask,
  /** The arguments of the container's command. */
  args: words,
  /** Replaces the container's own command. */
  command: words,
  env: Environment,
  /** Their values are saved encrypted and never shown again: replies have null. */
  secrets: variables(ProcessText.nullable()),
  /** Whether it was created from the catalog. */
  fromCatalog: z.boolean().nullable(),
  image: EndpointImage,
};

/** The model of an endpoint and how it is served. */
export const EndpointModel = namedStrictly('EndpointModel', modelFields);
export type EndpointModel = z.infer<typeof EndpointModel>;
