// What the service answers, as its clients read it: the contract's own schemas, with reports taken as they come. A report that was paid
// for is passed on whatever a bureau left out of it.
import * as z from 'zod/mini'
import { Failed, Retry, Verified } from '../../contract/challenge.ts'
import { ReceivedReport } from '../../contract/credit-report.ts'
import { meteredEnvelope } from '../../contract/envelope.ts'
import { AuthenticationRequired, Blocked, Complete } from '../../contract/generate.ts'
import {
  BlockedReport,
  ChallengedReport,
  CompletedReport,
  ExpiredReport,
  FailedReport,
  PendingReport,
} from '../../contract/report-state.ts'

const anyReport = { creditReport: ReceivedReport }

// `failed` is no first answer by the letter, but the status of any error that cannot be mended.
export const GenerateAnswer = meteredEnvelope(
  z.union([z.extend(Complete, anyReport), AuthenticationRequired, Blocked, Failed]),
)
export type GenerateAnswer = z.infer<typeof GenerateAnswer>

export const CodeAnswer = meteredEnvelope(z.union([z.extend(Verified, anyReport), Retry, Failed]))
export type CodeAnswer = z.infer<typeof CodeAnswer>

/** How a report stands; read by `status`. */
export const StateAnswer = meteredEnvelope(
  z.union([
    PendingReport,
    ChallengedReport,
    z.extend(CompletedReport, { creditReport: z.optional(ReceivedReport) }),
    BlockedReport,
    FailedReport,
    ExpiredReport,
  ]),
)
export type StateAnswer = z.infer<typeof StateAnswer>
