import { useEffect, useState } from 'react';
import type { Endpoint } from '../../../../daemon/contract/endpoints/endpoint.ts';
import { addressInPage } from '../../endpoint-requests/example-request.ts';

export interface ContextSize {
  /** In tokens; null: unknown. */
  readonly known: () => number | null;
  /** Asks the model server, until it has answered. For a time when it is used anyway, since a question wakes it. */
  readonly ask: () => void;
}

export function useContextSize({ status, model }: Endpoint): ContextSize {
  const [size] = useState(() => contextSizeOf(addressInPage(status.url), contextOfEach(model)));
  useEffect(() => size.forget, [size]);
  return size;
}

/** The parallel requests share the context that is set for them. */
function contextOfEach({ image: { llamacpp } }: Endpoint['model']): number | null {
  return llamacpp?.ctxSize ? Math.floor(llamacpp.ctxSize / (llamacpp.nParallel || 1)) : null;
}

function contextSizeOf(url: string, setting: number | null) {
  let known = setting;
  let asking: AbortController | null = null;
  return {
    known: () => known,
    ask: () => {
      if (asking) return;
      asking = new AbortController();
      const { signal } = asking;
      void contextSize(url, signal).then((size) => {
        if (size !== null) known = size;
        else asking = null; // it is asked again
      });
    },
    forget: () => asking?.abort(),
  };
}

/** Asks the model server in the ways of those that are known. null: it does not say. */
async function contextSize(url: string, signal: AbortSignal): Promise<number | null> {
  const models = await asked(`${url}/v1/models`, signal);
  const [first] = Array.isArray(models?.['data']) ? (models['data'] as readonly Json[]) : [];
  const stated = positive(objectAt(first, 'meta')?.['n_ctx']) ?? positive(first?.['max_model_len']);
  if (stated !== null) return stated;
  const props = await asked(`${url}/props`, signal);
  return positive(objectAt(props, 'default_generation_settings')?.['n_ctx']);
}

type Json = Readonly<Record<string, unknown>>;

async function asked(url: string, signal: AbortSignal): Promise<Json | null> {
  try {
    const response = await fetch(url, { signal });
    return response.ok ? ((await response.json()) as Json | null) : null;
  } catch {
    return null; // it has ended, or says nothing
  }
}

function objectAt(value: Json | null | undefined, key: string): Json | null {
  const found = value?.[key];
  return typeof found === 'object' && found !== null ? (found as Json) : null;
}

const positive = (value: unknown): number | null => (typeof value === 'number' && value > 0 ? value : null);
