import { Erased, PersonErased, PersonExport, PersonQuery } from '../../contract/person-query.ts'
import { component, DATE } from '../../openapi/component.ts'
import type { Rows } from '../../openapi/operation.ts'
import { CREDIT_REPORT_ID } from '../../openapi/samples.ts'

const tag = 'People'
const rule = { who: 'tenant', scope: 'people-erase', permission: 'data', fresh: true } as const

export const peopleRows = {
  operations: {
    eraseCreditReport: {
      route: 'DELETE /:tenantId/v1/credit-reports/:creditReportId',
      rule: { ...rule, audit: 'report.erase' },
      tag: 'Credit reports',
      summary: 'Erase what is known about the consumer of a report',
      description:
        'Deletes content, your reference and the index by person for good, ends an open challenge and gives back what was held. The ledger keeps its lines, which name no person. A repeat changes nothing and gets the same answer; a read answers 404.',
      answers: { 200: { says: 'It is erased.', data: Erased } },
      errors: ['validation-error', 'credit-report-not-found'],
    },
    exportPerson: {
      route: 'POST /:tenantId/v1/people/export',
      rule: { ...rule, scope: 'people-export', audit: 'person.export' },
      tag,
      summary: 'Everything your reports hold about one person',
      description:
        'Newest first, each as it stands and with its content while that is kept. Found by a keyed index of surname, date of birth and current postcode; no name is kept to search by. Each report that is given out has its line in the audit trail.',
      body: { schema: 'PersonQuery', reads: PersonQuery },
      answers: { 200: { says: 'The reports; none where nothing is known.', data: PersonExport } },
      errors: ['validation-error'],
    },
    erasePerson: {
      route: 'POST /:tenantId/v1/people/erase',
      rule: { ...rule, audit: 'person.erase' },
      tag,
      summary: 'Erase everything your reports hold about one person',
      description: 'Each report as `DELETE` erases it. A request that was cut short goes on when it is sent again.',
      body: { schema: 'PersonQuery', reads: PersonQuery },
      answers: { 200: { says: 'The ids of the reports that were erased.', data: PersonErased } },
      errors: ['validation-error'],
    },
  },
  words: () => ({
    requests: [
      component(
        'PersonQuery',
        PersonQuery,
        'A person, as agencies tell people apart.',
        {
          lastName: ['The surname; capitals, accents, hyphens, titles and initials make no difference.', 'Example'],
          dateOfBirth: ['Date of birth, YYYY-MM-DD.', '1985-03-27', DATE],
          postcodes: ['Each postcode the person gave as the current one.', ['SW1A 1AA']],
          after: ['The `nextAfter` of the page before; ignored by an erasure.', CREDIT_REPORT_ID],
        },
        { example: { lastName: 'Example', dateOfBirth: '1985-03-27', postcodes: ['SW1A 1AA'] } },
      ),
    ],
    answers: [
      component('Erased', Erased, 'A report that was erased.', {
        creditReportId: ['The report’s id.', CREDIT_REPORT_ID],
        erased: ['Always true.', true],
      }),
      component(
        'PersonExport',
        PersonExport,
        'Reports about one person, newest first.',
        {
          creditReports: 'The person’s checks with their status, and their content while it is kept.',
          nextAfter: ['Pass as `after` for the next, older page; absent on the last.', CREDIT_REPORT_ID],
        },
        { without: ['nextAfter'] },
      ),
      component('PersonErased', PersonErased, 'The reports that were erased.', {
        creditReportIds: ['Their ids; empty when there was nothing to erase.', [CREDIT_REPORT_ID]],
      }),
    ],
  }),
} satisfies Rows
