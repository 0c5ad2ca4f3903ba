// The built service as an operator starts it: a process of its own, its own folder, its own port.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Program, startProgram } from './program.ts'

export type ServiceProcess = Program & {
  dataDir: string
  /** Ends it for good, and its data with it. */
  stop(): Promise<void>
}

export async function startServiceProcess(
  env: Record<string, string> = {},
  script = 'dist/programs/demo-service.js',
): Promise<ServiceProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'credit-report-service-'))
  const program = await startProgram({
    script,
    env: { DEMO: '1', DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...env },
    address: /"url":"(http:[^"]+)"/,
  })
  return {
    ...program,
    dataDir,
    async stop() {
      await program.end()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
