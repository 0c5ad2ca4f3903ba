// Every operation there is: those of the service, and what the portal adds for people.
import { hostedRows } from '../hosted/operations.ts'
import { type DocumentOptions, openApiDocument } from '../openapi/document.ts'
import type { Rows } from '../openapi/operation.ts'
import { serviceRows } from '../plugins/rows.ts'
import { portalRows } from './identity/operations.ts'

export const allRows: readonly Rows[] = [...serviceRows, hostedRows, portalRows]

/** The whole interface, as in docs/openapi.json. */
export function describeAll(options?: DocumentOptions) {
  return openApiDocument(allRows, options)
}
