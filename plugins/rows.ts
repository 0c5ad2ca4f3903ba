// Every operation that programs call, from the folders of its handlers.
import type { Rows } from '../openapi/operation.ts'
import { coreRows } from '../service/handler.ts'
import { auditRows } from './audit/operations.ts'
import { clientRows } from './clients/operations.ts'
import { capRows } from './limits/operations.ts'
import { receiptRows } from './live-providers/operations.ts'
import { lookUpRows } from './look-up/operations.ts'
import { metricsRows } from './metrics/operations.ts'
import { peopleRows } from './people/operations.ts'
import { refusalRows } from './refusals/operations.ts'
import { statementRows } from './statement/operations.ts'
import { statsRows } from './stats/operations.ts'
import { webhookRows } from './webhooks/operations.ts'

export const serviceRows: readonly Rows[] = [
  ...coreRows,
  lookUpRows,
  peopleRows,
  statsRows,
  refusalRows,
  statementRows,
  capRows,
  auditRows,
  clientRows,
  webhookRows,
  receiptRows,
  metricsRows,
]
