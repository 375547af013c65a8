import type { News } from '../shared/news.ts';

/** The news that an endpoint failed. */
export function someNews(more: Partial<News> = {}): News {
  return {
    kind: 'endpoint-failed',
    endpoint: { namespace: 'lab', name: 'chat' },
    title: 'lab/chat failed.',
    text: 'The model file is damaged. Download it again.',
    at: new Date('2026-11-21T11:00:00.000Z'),
    isFailure: true,
    isKnown: false,
    wants: { push: true, email: true },
    ...more,
  };
}
