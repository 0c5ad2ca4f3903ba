// The rows of the matrix that once led to a second paid check; all of it is in bad-line.release.spec.ts.
import { playRow, type Row } from './bad-line/journey.ts'

const rows: Row[] = [
  { request: 'current when the page opens', fault: 'html', times: 3 },
  { request: 'current after a reload at the code', fault: '502', times: 3 },
  { request: 'current after a reload at the code', fault: 'redirected', times: 3 },
  { request: 'current after a reload on the report', fault: '502', times: 3 },
  { request: 'current after a reload on the report', fault: 'cached', times: 3 },
  { request: 'current after a reload on the report', fault: 'slow', times: 3 },
]

for (const row of rows) playRow(row)
