import { posix } from 'node:path';
import type { HubFile } from '../hub/repository-files.ts';

const SAFETENSORS = /\.safetensors$/i;
/** Weights of PyTorch, which the same folder's .safetensors files replace. */
const TORCH = /\.(?:bin|pt|pth|ckpt)$/i;
/** The state of a training, which is no model. */
const TRAINING = /(?:^|\/)(?:training_args|optimizer|scheduler|scaler|rng_state[^/]*)\.\w+$/i;
/** Weights that other programs read: copies of those above. */
const COPIES = /\.(?:gguf|onnx|onnx_data|h5|msgpack|ot|tflite|mlmodel|weights\.bin|pb)$|(?:^|\/)openvino[^/]*$/i;
/** The rest of a download that broke off; the downloads of this machine have such names until they are complete. */
const UNFINISHED = /\.part(?:\.json)?$/i;
/** The repository's own bookkeeping. */
const GIT = /(?:^|\/)\.git[^/]*$/;
/** The same weights in a second precision, `model.fp16.safetensors`, or in the layout of their author. */
const PRECISION = /\.(?:fp16|bf16|fp32|non_ema)(?=\.safetensors$|\.bin$|-\d{5}-of-\d{5}\.)/i;
const AUTHORS_OWN = /^consolidated[^/]*\.safetensors$/i;

/**
 * The files of a repository that an engine in a container reads: all but unfinished ones and weights that are there twice. Prefers
 * .safetensors files to those of PyTorch, and both to those of other programs, like the hub's own library.
 */
export function chooseRepositoryFiles(files: readonly HubFile[]): HubFile[] {
  const own = files.filter(({ path }) => !GIT.test(path) && !UNFINISHED.test(path));
  const hasWeights = own.some(({ path }) => isWeights(path));
  const kept = hasWeights ? own.filter(({ path }) => !COPIES.test(path)) : own;
  const hasOther = kept.some(({ path }) => isWeights(path) && !isOriginal(path));
  const paths = new Set(kept.map(({ path }) => path));
  const folders = Map.groupBy(kept, ({ path }) => posix.dirname(path));
  return kept.filter(({ path }) => {
    const beside = folders.get(posix.dirname(path)) ?? [];
    return !isReplaced(path, beside, hasOther) && !isSecondPrecision(path, paths) && !isAuthorsOwn(path, beside);
  });
}

const isWeights = (path: string) =>
  (SAFETENSORS.test(path) || TORCH.test(path)) && !COPIES.test(path) && !TRAINING.test(path);

/** Whether it is of the folder with the weights as their author published them. */
const isOriginal = (path: string) => path.startsWith('original/');

/** @param hasOther whether there are weights outside `original/` */
function isReplaced(path: string, beside: readonly HubFile[], hasOther: boolean): boolean {
  if (!TORCH.test(path)) return false;
  if (isOriginal(path) && hasOther) return true;
  return beside.some((file) => SAFETENSORS.test(file.path));
}

function isSecondPrecision(path: string, paths: ReadonlySet<string>): boolean {
  return PRECISION.test(path) && paths.has(path.replace(PRECISION, ''));
}

function isAuthorsOwn(path: string, beside: readonly HubFile[]): boolean {
  if (!AUTHORS_OWN.test(posix.basename(path))) return false;
  return beside.some((file) => /^model[^/]*\.safetensors$/i.test(posix.basename(file.path)));
}
