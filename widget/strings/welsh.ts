// The Welsh chunk. The build works it out and ships the lists alone.
import { reportStrings } from '../report/strings.ts'
import { reportStringsCy } from '../report/strings-cy.ts'
import { cy } from './cy.ts'
import { en } from './en.ts'
import { enCheck } from './en-check.ts'
import { enFindAddress } from './en-find-address.ts'
import { inOrderOf, type Translation } from './translation.ts'

export const welsh: Translation = {
  form: inOrderOf(en, cy),
  check: inOrderOf(enCheck, cy),
  findAddress: inOrderOf(enFindAddress, cy),
  report: inOrderOf(reportStrings, reportStringsCy),
}
