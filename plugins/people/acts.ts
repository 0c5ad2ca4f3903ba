import * as z from 'zod/mini'
import { DAY_MS } from '../../kit/clock.ts'
import { act } from '../../service/act/act.ts'
import { validationError } from '../../service/http/api-error.ts'
import { changeTenant } from '../../service/ledger/tenants.ts'
import type { RetentionRow } from './retention.ts'

const setRetention = act({
  name: 'tenant.retention',
  says: 'Choose for how many days a lender’s reports are kept, at most the installation’s',
  doors: ['admin'],
  /** Null: the installation's. */
  reads: z.object({ days: z.nullable(z.int().check(z.minimum(1))) }),
  words: ['days'],
  permission: null,
  fresh: false,
  async run({ config }, { tenantId, acting }, { days }) {
    const daysMax = config.reportRetentionMs / DAY_MS
    if (days !== null && days > daysMax)
      throw validationError([{ path: 'days', expected: `must be at most ${daysMax}` }])
    await changeTenant<RetentionRow>(acting, tenantId, { report_retention_days: days })
    return { days: days ?? daysMax }
  },
})

export const peopleActs = [setRetention]
