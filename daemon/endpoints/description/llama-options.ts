/** An option of llama.cpp's server. */
interface LlamaOption {
  /** Every spelling, such as `-s` and `--seed`. */
  readonly names: readonly string[];
  /** Whether a value follows. */
  readonly value: 'none' | 'one' | 'optional';
  /** The environment variable of the same meaning; null: it has none. */
  readonly variable: string | null;
}

/**
 * The options that an endpoint's own arguments may set: names, then `N` if a value follows (`N?`: in some versions), then
 * its variable. Settings of the model, of sampling, of memory and of graphics cards; none takes a path or an address.
 * From `llama-server --help` of 0.7.0, and older names that earlier versions still know.
 */
const ALLOWED = `
-c --ctx-size N LLAMA_ARG_CTX_SIZE
-n --predict --n-predict N LLAMA_ARG_N_PREDICT
-b --batch-size N LLAMA_ARG_BATCH
-ub --ubatch-size N LLAMA_ARG_UBATCH
--keep N
--swa-full LLAMA_ARG_SWA_FULL
-fa --flash-attn N? LLAMA_ARG_FLASH_ATTN
--perf --no-perf LLAMA_ARG_PERF
-e --escape --no-escape
--rope-scaling N LLAMA_ARG_ROPE_SCALING_TYPE
--rope-scale N LLAMA_ARG_ROPE_SCALE
--rope-freq-base N LLAMA_ARG_ROPE_FREQ_BASE
--rope-freq-scale N LLAMA_ARG_ROPE_FREQ_SCALE
--yarn-orig-ctx N LLAMA_ARG_YARN_ORIG_CTX
--yarn-ext-factor N LLAMA_ARG_YARN_EXT_FACTOR
--yarn-attn-factor N LLAMA_ARG_YARN_ATTN_FACTOR
--yarn-beta-slow N LLAMA_ARG_YARN_BETA_SLOW
--yarn-beta-fast N LLAMA_ARG_YARN_BETA_FAST
-kvo --kv-offload -nkvo --no-kv-offload LLAMA_ARG_KV_OFFLOAD
--repack -nr --no-repack LLAMA_ARG_REPACK
--no-host LLAMA_ARG_NO_HOST
-ctk --cache-type-k N LLAMA_ARG_CACHE_TYPE_K
-ctv --cache-type-v N LLAMA_ARG_CACHE_TYPE_V
-dt --defrag-thold N LLAMA_ARG_DEFRAG_THOLD
-lm --load-mode N LLAMA_ARG_LOAD_MODE
-lzm --lazy-mode N LLAMA_ARG_LAZY_MODE
--mmap --no-mmap
--mlock LLAMA_ARG_MLOCK
-dio --direct-io -ndio --no-direct-io LLAMA_ARG_DIO
--numa N LLAMA_ARG_NUMA
-dev --device N LLAMA_ARG_DEVICE
-ot --override-tensor N LLAMA_ARG_OVERRIDE_TENSOR
-cmoe --cpu-moe LLAMA_ARG_CPU_MOE
-ncmoe --n-cpu-moe N LLAMA_ARG_N_CPU_MOE
--moe-cache-mib N LLAMA_ARG_MOE_CACHE_MIB
-ncffn --n-cpu-ffn N LLAMA_ARG_N_CPU_FFN
-ngl --gpu-layers --n-gpu-layers N LLAMA_ARG_N_GPU_LAYERS
-sm --split-mode N LLAMA_ARG_SPLIT_MODE
-ts --tensor-split N LLAMA_ARG_TENSOR_SPLIT
-mg --main-gpu N LLAMA_ARG_MAIN_GPU
-fit --fit N LLAMA_ARG_FIT
-fitt --fit-target N LLAMA_ARG_FIT_TARGET
-fitc --fit-ctx N LLAMA_ARG_FIT_CTX
--check-tensors
-v --verbose --log-verbose
-lv --verbosity --log-verbosity N LLAMA_ARG_LOG_VERBOSITY
--override-kv N
--op-offload --no-op-offload
--samplers N
-s --seed N
--sampler-seq --sampling-seq N
--ignore-eos
--temp --temperature N LLAMA_ARG_TEMPERATURE
--top-k N LLAMA_ARG_TOP_K
--top-p N LLAMA_ARG_TOP_P
--min-p N LLAMA_ARG_MIN_P
--top-nsigma --top-n-sigma N
--xtc-probability N
--xtc-threshold N
--typical --typical-p N
--repeat-last-n N
--repeat-penalty N LLAMA_ARG_REPEAT_PENALTY
--presence-penalty N LLAMA_ARG_PRESENCE_PENALTY
--frequency-penalty N LLAMA_ARG_FREQUENCY_PENALTY
--dry-multiplier N
--dry-base N
--dry-allowed-length N
--dry-penalty-last-n N
--dry-sequence-breaker N
--adaptive-target N
--adaptive-decay N
--dynatemp-range N
--dynatemp-exp N
--mirostat N
--mirostat-lr N
--mirostat-ent N
-l --logit-bias N
--grammar N
-j --json-schema N
-bs --backend-sampling LLAMA_ARG_BACKEND_SAMPLING
--spec-draft-type-k -ctkd --cache-type-k-draft N LLAMA_ARG_SPEC_DRAFT_CACHE_TYPE_K
--spec-draft-type-v -ctvd --cache-type-v-draft N LLAMA_ARG_SPEC_DRAFT_CACHE_TYPE_V
--spec-draft-override-tensor -otd --override-tensor-draft N
--spec-draft-cpu-moe -cmoed --cpu-moe-draft LLAMA_ARG_SPEC_DRAFT_CPU_MOE
--spec-draft-n-cpu-moe --spec-draft-ncmoe -ncmoed --n-cpu-moe-draft N LLAMA_ARG_SPEC_DRAFT_N_CPU_MOE
--spec-draft-n-max N LLAMA_ARG_SPEC_DRAFT_N_MAX
--spec-draft-n-min N LLAMA_ARG_SPEC_DRAFT_N_MIN
--spec-draft-n-ubatch N LLAMA_ARG_SPEC_DRAFT_N_UBATCH
--spec-synth-len N LLAMA_ARG_SPEC_SYNTH_LEN
--spec-synth-rates N LLAMA_ARG_SPEC_SYNTH_RATES
--spec-draft-p-split --draft-p-split N LLAMA_ARG_SPEC_DRAFT_P_SPLIT
--spec-draft-p-min --draft-p-min N LLAMA_ARG_SPEC_DRAFT_P_MIN
--spec-draft-backend-sampling --no-spec-draft-backend-sampling LLAMA_ARG_SPEC_DRAFT_BACKEND_SAMPLING
--spec-draft-sampling N LLAMA_ARG_SPEC_DRAFT_SAMPLING
--spec-draft-device -devd --device-draft N
--spec-draft-ngl -ngld --gpu-layers-draft --n-gpu-layers-draft N LLAMA_ARG_N_GPU_LAYERS_DRAFT
--spec-type N LLAMA_ARG_SPEC_TYPE
--spec-ngram-mod-n-min N
--spec-ngram-mod-n-max N
--spec-ngram-mod-n-match N
--spec-ngram-simple-size-n N
--spec-ngram-simple-size-m N
--spec-ngram-simple-min-hits N
--spec-ngram-map-k-size-n N
--spec-ngram-map-k-size-m N
--spec-ngram-map-k-min-hits N
--spec-ngram-map-k4v-size-n N
--spec-ngram-map-k4v-size-m N
--spec-ngram-map-k4v-min-hits N
--spec-ngram-size-n N
--spec-ngram-size-m N
--spec-ngram-min-hits N
--spec-default
--draft --draft-n --draft-max N LLAMA_ARG_DRAFT_MAX
--draft-min --draft-n-min N LLAMA_ARG_DRAFT_MIN
-cd --ctx-size-draft N LLAMA_ARG_CTX_SIZE_DRAFT
--kv-unified-per-slot N LLAMA_ARG_KV_UNIFIED_PER_SLOT
-ctxcp --ctx-checkpoints --swa-checkpoints N LLAMA_ARG_CTX_CHECKPOINTS
-cms --checkpoint-min-step N LLAMA_ARG_CHECKPOINT_MIN_SPACING_NT
-cram --cache-ram N LLAMA_ARG_CACHE_RAM
-kvu --kv-unified -no-kvu --no-kv-unified LLAMA_ARG_KV_UNIFIED
--cache-idle-slots --no-cache-idle-slots LLAMA_ARG_CACHE_IDLE_SLOTS
--context-shift --no-context-shift LLAMA_ARG_CONTEXT_SHIFT
-r --reverse-prompt N
-sp --special
--warmup --no-warmup
--spm-infill
--pooling N LLAMA_ARG_POOLING
-np --parallel N LLAMA_ARG_N_PARALLEL
-cb --cont-batching -nocb --no-cont-batching LLAMA_ARG_CONT_BATCHING
-gan --grp-attn-n N LLAMA_ARG_GRP_ATTN_N
-gaw --grp-attn-w N LLAMA_ARG_GRP_ATTN_W
--mmproj-offload --no-mmproj-offload LLAMA_ARG_MMPROJ_OFFLOAD
-mmdev --mmproj-device N
--image-min-tokens N LLAMA_ARG_IMAGE_MIN_TOKENS
--image-max-tokens N LLAMA_ARG_IMAGE_MAX_TOKENS
--mtmd-batch-max-tokens N LLAMA_ARG_MTMD_BATCH_MAX_TOKENS
--video-fps N LLAMA_ARG_VIDEO_FPS
--video-timestamp-interval N LLAMA_ARG_VIDEO_TIMESTAMP_INTERVAL
--tags N LLAMA_ARG_TAGS
--embd-normalize N
--chat-template-kwargs N LLAMA_ARG_CHAT_TEMPLATE_KWARGS
-to --timeout N LLAMA_ARG_TIMEOUT
--sse-ping-interval N LLAMA_ARG_SSE_PING_INTERVAL
--threads-http N LLAMA_ARG_THREADS_HTTP
--cache-prompt --no-cache-prompt LLAMA_ARG_CACHE_PROMPT
--cache-reuse N LLAMA_ARG_CACHE_REUSE
--jinja --no-jinja LLAMA_ARG_JINJA
--reasoning-format N LLAMA_ARG_THINK
-rea --reasoning N LLAMA_ARG_REASONING
--reasoning-effort N LLAMA_ARG_REASONING_EFFORT
--reasoning-budget N LLAMA_ARG_THINK_BUDGET
--reasoning-budget-message N LLAMA_ARG_THINK_BUDGET_MESSAGE
--reasoning-preserve --no-reasoning-preserve LLAMA_ARG_REASONING_PRESERVE
--chat-template N LLAMA_ARG_CHAT_TEMPLATE
--skip-chat-parsing --no-skip-chat-parsing LLAMA_ARG_SKIP_CHAT_PARSING
--prefill-assistant --no-prefill-assistant LLAMA_ARG_PREFILL_ASSISTANT
-sps --slot-prompt-similarity N
`;

/** The options that are refused, by the reason. An option of neither list is refused too. */
const REFUSED: Readonly<Record<string, string>> = {
  'the daemon decides where the model is reached':
    '--host --port --reuse-port --path --api-prefix --cors-origins --cors-methods --cors-headers --cors-credentials --no-cors-credentials --ui --webui --no-ui --no-webui --ui-config --webui-config --alias -a',
  'the daemon decides who may use the model': '--api-key --api-key-file --ssl-key-file --ssl-cert-file -hft --hf-token',
  'it would give the model access to this machine’s files and commands':
    '--tools --tools-runtime --agent -ag --no-agent -no-ag --mcp-servers-config --mcp-servers-json --ui-mcp-proxy --webui-mcp-proxy --no-ui-mcp-proxy --no-webui-mcp-proxy --media-path --video-ffmpeg-dir',
  'it would read or write a file that the daemon did not check':
    '--lora --lora-scaled --lora-init-without-apply --control-vector --control-vector-scaled --control-vector-layer-range --grammar-file -jf --json-schema-file --chat-template-file -lcs --lookup-cache-static -lcd --lookup-cache-dynamic --ui-config-file --webui-config-file',
  'the daemon keeps the log':
    '--log-disable --log-file --log-jsonl --no-log-jsonl --log-colors --log-prefix --no-log-prefix --log-timestamps --no-log-timestamps --log-prompts-dir',
  'it would show or store the requests of others': '--slots --no-slots --slot-save-path --props --metrics',
  'the model comes from the endpoint’s own fields':
    '-m --model -mu --model-url -dr --docker-repo -hf -hfr --hf-repo -hff --hf-file -mm --mmproj -mmu --mmproj-url --mmproj-auto --no-mmproj --no-mmproj-auto --spec-draft-hf -hfd -hfrd --hf-repo-draft --spec-draft-model -md --model-draft -hfv -hfrv --hf-repo-v -hffv --hf-file-v -mv --model-vocoder --models-dir --models-preset --models-max --models-autoload --no-models-autoload --offline --rpc --embd-gemma-default --fim-qwen-1.5b-default --fim-qwen-3b-default --fim-qwen-7b-default --fim-qwen-7b-spec --fim-qwen-14b-spec --fim-qwen-30b-default --gpt-oss-20b-default --gpt-oss-120b-default --vision-gemma-4b-default --vision-gemma-12b-default',
  'the field mode says so': '--embedding --embeddings --rerank --reranking',
  'the daemon shares out the processor, so that the robot keeps its part':
    '-t --threads -tb --threads-batch -C --cpu-mask -Cr --cpu-range --cpu-strict --prio --poll -Cb --cpu-mask-batch -Crb --cpu-range-batch --cpu-strict-batch --prio-batch --poll-batch --spec-draft-threads -td --threads-draft --spec-draft-threads-batch -tbd --threads-batch-draft --spec-draft-cpu-mask -Cd --cpu-mask-draft --spec-draft-cpu-range -Crd --cpu-range-draft --spec-draft-cpu-strict --cpu-strict-draft --spec-draft-prio --prio-draft --spec-draft-poll --poll-draft --spec-draft-cpu-mask-batch -Cbd --cpu-mask-batch-draft --spec-draft-cpu-strict-batch --cpu-strict-batch-draft --spec-draft-prio-batch --prio-batch-draft --spec-draft-poll-batch --poll-batch-draft',
  'the daemon decides when the model sleeps': '--sleep-idle-seconds',
  'the server would print something and end':
    '-h --help --usage --version -cl --cache-list --completion-bash --list-devices',
};

const allowed: readonly LlamaOption[] = ALLOWED.trim().split('\n').map(parseOption);
const byName = new Map(allowed.flatMap((option) => option.names.map((name) => [name, option] as const)));
const reasons = new Map(
  Object.entries(REFUSED).flatMap(([reason, names]) => names.split(' ').map((name) => [name, reason] as const)),
);

function parseOption(row: string): LlamaOption {
  const words = row.split(' ');
  const names = words.filter((word) => word.startsWith('-'));
  const value = words.includes('N') ? 'one' : words.includes('N?') ? 'optional' : 'none';
  return { names, value, variable: words.find((word) => word.startsWith('LLAMA_ARG_')) ?? null };
}

/** The allowed option of a name; null: an endpoint may not set it. */
export function allowedOption(name: string): LlamaOption | null {
  return byName.get(spelling(name)) ?? null;
}

/** Why an option is refused, as the end of a sentence; null: it is not known. */
export function refusalReason(name: string): string | null {
  return reasons.get(spelling(name)) ?? null;
}

const variables = new Set(allowed.map(({ variable }) => variable));

/** Whether a variable, such as LLAMA_ARG_TOP_K, means an allowed option: by the list or by the option's name. */
export function isAllowedVariable(name: string): boolean {
  const option = `--${name.slice('LLAMA_ARG_'.length).toLowerCase()}`;
  return variables.has(name) || allowedOption(option) !== null;
}

/** The server reads `--api_key` as `--api-key`. */
function spelling(name: string): string {
  return name.startsWith('--') ? name.replaceAll('_', '-') : name;
}

/** llama.cpp knows no more sequences. A server that is asked for many more allocates memory for each before it fails. */
const MAX_PARALLEL = 256;
/** Each has a stack of its own; the gateway passes no more requests at a time to an endpoint. */
const MAX_HTTP_THREADS = 1_024;

const limits: ReadonlyMap<string, number> = new Map([
  ...['nParallel', '-np', '--parallel'].map((name) => [name, MAX_PARALLEL] as const),
  ...['threadsHttp', '--threads-http', 'LLAMA_ARG_THREADS_HTTP'].map((name) => [name, MAX_HTTP_THREADS] as const),
]);

/**
 * Why a setting of llama.cpp's server is too large, in one sentence; null: it is not, or has no limit.
 * @param name of a field of the image, of an argument, or of a variable
 * @param value NaN: no number, which the server itself refuses
 */
export function overLimit(name: string, value: number): string | null {
  const limit = limits.get(name);
  return limit === undefined || !(value > limit) ? null : `${name} is at most ${limit}.`;
}
