// A plugin that refuses a lender's checks at night, assembled with two of those in credit-report-service/plugins.
import { ApiError, coreTables, createHandler, createLog, openEmbedded, readConfig } from 'credit-report-service'
import { clients, lookUp } from 'credit-report-service/plugins'

const OPENS_AT = 6

/** `hourOf` says which hour it is where the lender is. */
export function quietNights({ tenantId, hourOf = londonHour }) {
  return {
    name: 'quiet-nights',
    on: {
      // Runs in the transaction that begins the check: when it throws, nothing is written and nothing is charged.
      async begin(_queries, check) {
        if (check.tenantId !== tenantId || check.test || hourOf(new Date()) >= OPENS_AT) return
        throw new ApiError('forbidden', `checks for "${tenantId}" begin at ${OPENS_AT} in the morning; try again then`)
      },
    },
  }
}

function londonHour(now) {
  const hour = new Intl.DateTimeFormat('en-GB', { hour: 'numeric', hourCycle: 'h23', timeZone: 'Europe/London' })
  return Number(hour.format(now))
}

/** A whole service: `fetch` answers requests, `sweeper` finishes what crashes and time leave behind. */
export async function createService(environment, options) {
  const config = readConfig(environment)
  const database = await openEmbedded(config, { migrations: coreTables })
  const plugins = [quietNights(options), lookUp, clients]
  return {
    ...(await createHandler({ config, database, log: createLog({ level: config.logLevel }) }, plugins)),
    database,
  }
}
