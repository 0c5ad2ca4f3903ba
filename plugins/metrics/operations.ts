import type { Rows } from '../../openapi/operation.ts'

const tag = 'Operations'

export const metricsRows = {
  operations: {
    getMetrics: {
      route: 'GET /metrics',
      rule: { who: 'anyone' },
      tag,
      summary: 'Measurements for Prometheus',
      description: 'For a scraper that shows `METRICS_TOKEN`; without one configured, for one on the same machine.',
      schemes: ['metricsToken', 'none'],
      answers: { 200: { says: 'The measurements.', type: 'text/plain', schema: { type: 'string' } } },
      errors: ['not-found'],
    },
  },
} satisfies Rows
