// What a lender can do when a consumer asks about their data.
import { html } from 'hono/html'
import { alert, field, type Markup } from '../pages/layout.ts'
import { pressField } from './presses.ts'
import { checkLink, showNumber } from './show.ts'

export type TypedPerson = { lastName: string; dateOfBirth: string; postcodes: string }

export type RequestView = {
  retentionDays: number
  typed?: TypedPerson
  /** What is known about the person who was typed; `hasMore`: there are older ones than these. */
  found?: { creditReportIds: readonly string[]; hasMore: boolean }
  problem?: string
}

export function dataBody({ retentionDays, typed, found, problem }: RequestView): Markup {
  return html`<h1>Data requests</h1>
<p class="lead">When a consumer asks what you hold about them, or asks you to erase it. Reports are deleted by themselves after ${showNumber(retentionDays)} days.</p>
${alert(problem)}
${typed && found ? foundPanel(typed, found) : ''}
<form class="panel" method="post" action="/console/data/find">
  <h2>Find everything about one person</h2>
  ${field({ name: 'last-name', label: 'Last name', autocomplete: 'off', value: typed?.lastName ?? '', lengthMax: 100 })}
  ${field({ name: 'date-of-birth', label: 'Date of birth', hint: 'Year, month and day, such as 1985-03-31', autocomplete: 'off', value: typed?.dateOfBirth ?? '', lengthMax: 10 })}
  ${field({ name: 'postcodes', label: 'Postcodes', hint: 'Each postcode they gave as the current one, with a comma between', autocomplete: 'off', value: typed?.postcodes ?? '', lengthMax: 400 })}
  ${pressField()}<button class="button" type="submit">Find</button>
</form>
<p class="hint">Nothing is stored to search by names: a keyed index of these three finds the checks.</p>`
}

function foundPanel(typed: TypedPerson, { creditReportIds, hasMore }: NonNullable<RequestView['found']>): Markup {
  const count = creditReportIds.length
  if (count === 0) {
    return html`<section class="panel" role="status"><h2>Nothing was found</h2><p>There is no check about this person, or it was erased. Try every postcode they may have given.</p></section>`
  }
  const checks = `${hasMore ? 'More than ' : ''}${count === 1 ? 'One check' : `${count} checks`}`
  return html`<section class="panel" aria-labelledby="found">
  <h2 id="found">${checks} about this person</h2>
  <ul>${creditReportIds.map((id) => html`<li>${checkLink(id)}</li>`)}</ul>
  <form method="post" action="/console/data/export">
    ${typedFields(typed)}${pressField()}<button class="quiet" type="submit">Download everything (JSON lines)</button>
  </form>
  <form method="post" action="/console/data/erase">
    ${typedFields(typed)}
    <fieldset class="checks"><legend class="unseen">Sure?</legend><label><input type="checkbox" name="sure" value="yes" required> Erase everything these checks hold about the person, for good. Ids, states and costs stay.</label></fieldset>
    ${pressField()}<button class="button danger" type="submit">Erase</button>
  </form>
</section>`
}

function typedFields({ lastName, dateOfBirth, postcodes }: TypedPerson): Markup[] {
  const fields = { 'last-name': lastName, 'date-of-birth': dateOfBirth, postcodes }
  return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}
