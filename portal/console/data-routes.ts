// The console's page for a consumer's request about their data: find everything about one person, give it out, and
// erase it.
import type { Hono } from 'hono'
import { html } from 'hono/html'
import { PersonQuery } from '../../contract/person-query.ts'
import { read } from '../../contract/problems.ts'
import { type Clock, DAY_MS } from '../../kit/clock.ts'
import { isId } from '../../kit/new-id.ts'
import { eraseReport } from '../../plugins/people/erase-report.ts'
import { erasePerson, findReportsOf, type GivenOut, giveOut } from '../../plugins/people/people.ts'
import { readRetentionDays } from '../../plugins/people/retention.ts'
import type { CheckSettings } from '../../service/check/check-options.ts'
import { findReport } from '../../service/check/store.ts'
import type { Acting } from '../../service/http/acting.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { Keys } from '../../service/keys.ts'
import type { Moments } from '../../service/plugin.ts'
import type { Database } from '../../service/store/database.ts'
import { alert, field, type Markup } from '../pages/layout.ts'
import type { TenantVisit } from './frame.ts'
import type { PageContext, Visits } from './page-context.ts'
import { consumerDataBody } from './report-pages.ts'
import { checkLink, showNumber } from './show.ts'

export type DataPageOptions = {
  database: Database
  clock: Clock
  keys: Keys
  settings: CheckSettings
  /** The installation's limit. */
  retentionMs: number
  plugins: Pick<Moments, 'erase'>
  visits: Visits
}

const path = '/console/data'
const CHECKS = '/console/checks'

export function dataPageRoutes({
  database,
  clock,
  keys,
  settings,
  retentionMs,
  plugins,
  visits,
}: DataPageOptions): Hono<ServiceEnv> {
  const { show, download, tenantPages } = visits
  const { routes, get, post, ask } = tenantPages()

  async function showData(
    context: PageContext,
    visit: TenantVisit,
    view: Omit<RequestView, 'retentionDays' | 'press'> = {},
  ) {
    const retentionDays = (await readRetentionDays(database, visit.tenant.id)) ?? retentionMs / DAY_MS
    const title = view.problem ? 'Error: data requests' : 'Data requests'
    const body = dataBody({ ...view, retentionDays, press: visit.press })
    return show(context, visit, { path, title, body }, view.problem ? 400 : 200)
  }

  get(path, (context, visit) => showData(context, visit))

  // A person is typed into a body and never into an address: addresses are logged.
  post(`${path}/find`, path, async (context, visit, form) => {
    const { typed, person } = readPerson(form)
    if (person === null) return showData(context, visit, { typed, problem: UNREADABLE })
    const { id: tenantId } = visit.tenant
    const { creditReportIds, nextAfter } = await findReportsOf(database, keys.indexes, { tenantId, person })
    const hasMore = nextAfter !== undefined
    const { length } = creditReportIds
    // The trail says who searched and how much was found, before anything is shown, and nothing about the consumer.
    await context.get('act').transaction(
      async () => true,
      () => ({ change: { from: null, to: { found: hasMore ? `${length} or more` : length } } }),
    )
    return showData(context, visit, { typed, found: { creditReportIds, hasMore } })
  })

  post(`${path}/export`, path, async (context, visit, form) => {
    const { typed, person } = readPerson(form)
    if (person === null) return showData(context, visit, { typed, problem: UNREADABLE })
    const texts = writeExport({ tenantId: visit.tenant.id, person, act: context.get('act') })
    return download(context, { name: 'consumer-data.jsonl', type: 'application/jsonl', texts })
  })

  post(`${path}/print`, path, async (context, visit, form) => {
    const { typed, person } = readPerson(form)
    if (person === null) return showData(context, visit, { typed, problem: UNREADABLE })
    const given: GivenOut[] = []
    let hasMore = false
    for await (const check of giveOutAll({ tenantId: visit.tenant.id, person, act: context.get('act') })) {
      hasMore = given.length === PRINTED_MAX
      if (hasMore) break
      given.push(check)
    }
    const body = consumerDataBody({ lender: visit.tenant.name, given, hasMore, nowMs: clock() })
    return show(context, visit, { path, title: 'Your credit checks', body })
  })

  async function* writeExport(wanted: Wanted) {
    for await (const check of giveOutAll(wanted)) yield `${JSON.stringify(check)}\n`
  }

  /** Every check about the person, newest first. */
  async function* giveOutAll({ tenantId, person, act }: Wanted) {
    for (let after: string | undefined; ; ) {
      const page = await findReportsOf(database, keys.indexes, { tenantId, person: { ...person, after } })
      yield* giveOut({ database, clock, keys, settings }, { tenantId, creditReportIds: page.creditReportIds, act })
      after = page.nextAfter
      if (after === undefined) return
    }
  }

  post(`${path}/erase`, path, async (context, visit, form) => {
    const { typed, person } = readPerson(form)
    if (person === null) return showData(context, visit, { typed, problem: UNREADABLE })
    if (form.get('sure') !== 'yes')
      return showData(context, visit, { typed, problem: 'Tick the box to erase for good.' })
    const wanted = { tenantId: visit.tenant.id, person, nowMs: clock(), plugins, act: context.get('act') }
    const { length } = await erasePerson(database, keys.indexes, wanted)
    if (length === 0) return { refused: 'There is nothing to erase about this person.' }
    return { notice: `${length === 1 ? 'One check was' : `${length} checks were`} erased.` }
  })

  ask(
    `${CHECKS}/:creditReportId/erase`,
    CHECKS,
    async (context, visit) => {
      const found = await findErasable(context, visit)
      if (found === null) return GONE
      return {
        title: 'Erase this check?',
        body: html`<p>Everything it holds about the consumer is deleted: the report, the details and your reference. Its id, states and costs stay. A check in progress ends. It cannot be undone.</p>`,
        button: 'Erase the check',
        isDanger: true,
      }
    },
    async (context, visit) => {
      const creditReportId = await findErasable(context, visit)
      if (creditReportId === null) return GONE
      const erased = await eraseReport(database, { creditReportId, nowMs: clock(), plugins, act: context.get('act') })
      return erased ? { notice: 'The check was erased.', to: `${CHECKS}/${creditReportId}` } : GONE
    },
  )

  return routes

  async function findErasable(context: PageContext, { tenant }: TenantVisit): Promise<string | null> {
    const creditReportId = context.req.param('creditReportId') ?? ''
    const report = isId(creditReportId) ? await findReport(database, { tenantId: tenant.id, creditReportId }) : null
    return report?.erasedAtMs === null ? creditReportId : null
  }
}

const GONE = { refused: 'There is no such check, or it was erased before.', status: 404 } as const
const UNREADABLE =
  'Type the last name, the date of birth such as 31/03/1985, and each UK postcode with a comma between.'

function readPerson(form: URLSearchParams): { typed: TypedPerson; person: PersonQuery | null } {
  const given = (name: string) => (form.get(name) ?? '').trim()
  const typed = { lastName: given('last-name'), dateOfBirth: given('date-of-birth'), postcodes: given('postcodes') }
  const postcodes = typed.postcodes.split(',').map((each) => each.trim())
  const dateOfBirth = isoDateOf(typed.dateOfBirth)
  const person = read(PersonQuery, { ...typed, dateOfBirth, postcodes: postcodes.filter((each) => each !== '') })
  return { typed, person: person.ok ? person.value : null }
}

/** Day first, as it is written in the United Kingdom; a date that begins with its year stays as it is. */
function isoDateOf(typed: string): string {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[/.\s-](\d{1,2})[/.\s-](\d{4})$/.exec(typed) ?? []
  return year === '' ? typed : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

type Wanted = { tenantId: string; person: PersonQuery; act: Acting }

/** One page for one person; the file has any number. */
const PRINTED_MAX = 50

type TypedPerson = { lastName: string; dateOfBirth: string; postcodes: string }

type RequestView = Pick<TenantVisit, 'press'> & {
  retentionDays: number
  typed?: TypedPerson
  /** The data about the person who was typed; `hasMore`: there are older reports than these. */
  found?: { creditReportIds: readonly string[]; hasMore: boolean }
  problem?: string
}

function dataBody({ retentionDays, typed, found, problem, press }: RequestView): Markup {
  return html`<h1>Data requests</h1>
<p class="lead">When a consumer asks what you hold about them, or asks you to erase it. Reports are deleted by themselves after ${showNumber(retentionDays)} days.</p>
${alert(problem)}
${typed && found ? foundPanel(typed, found, press) : ''}
<form class="panel split" method="post" action="/console/data/find">
  <div><h2>Find everything about one person</h2>
  <p class="hint">Nothing is stored to search by names: a keyed index of these three finds the checks. Each search is in the audit trail.</p></div>
  <div>
  ${field({ name: 'last-name', label: 'Last name', autocomplete: 'off', value: typed?.lastName ?? '', lengthMax: 100 })}
  ${field({ name: 'date-of-birth', label: 'Date of birth', hint: 'Day, month and year, such as 31/03/1985', autocomplete: 'off', value: typed?.dateOfBirth ?? '', lengthMax: 10 })}
  ${field({ name: 'postcodes', label: 'Postcodes', hint: 'Each postcode they gave as the current one, with a comma between', autocomplete: 'off', value: typed?.postcodes ?? '', lengthMax: 400 })}
  ${press()}<button class="button" type="submit">Find</button>
  </div>
</form>`
}

function foundPanel(
  typed: TypedPerson,
  { creditReportIds, hasMore }: NonNullable<RequestView['found']>,
  press: TenantVisit['press'],
): Markup {
  const count = creditReportIds.length
  if (count === 0) {
    return html`<section class="panel" role="status"><h2>Nothing was found</h2><p>There is no check about this person, or it was erased. Try every postcode they may have given.</p></section>`
  }
  const checks = `${hasMore ? 'More than ' : ''}${count === 1 ? 'One check' : `${count} checks`}`
  return html`<section class="panel" aria-labelledby="found">
  <h2 id="found">${checks} about this person</h2>
  <ul>${creditReportIds.map((id) => html`<li>${checkLink(id)}</li>`)}</ul>
  <div class="row">
    <form method="post" action="/console/data/print">${typedFields(typed)}${press()}<button class="button" type="submit">Show everything, to print</button></form>
    <form method="post" action="/console/data/export">${typedFields(typed)}${press()}<button class="quiet" type="submit">Download everything (JSON lines)</button></form>
  </div>
  <form method="post" action="/console/data/erase">
    ${typedFields(typed)}
    <fieldset class="checks"><legend class="unseen">Sure?</legend><label><input type="checkbox" name="sure" value="yes" required> Erase everything these checks hold about the person, for good. Ids, states and costs stay.</label></fieldset>
    ${press()}<button class="button danger" type="submit">Erase</button>
  </form>
</section>`
}

function typedFields({ lastName, dateOfBirth, postcodes }: TypedPerson): Markup[] {
  const fields = { 'last-name': lastName, 'date-of-birth': dateOfBirth, postcodes }
  return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}
