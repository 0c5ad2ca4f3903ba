#!/usr/bin/env node
// `npx credit-report-proxy`
import { ProcessSettingError, readProcessSettings, startProxyProcess } from './process.ts'

const write = (line: string) => void process.stdout.write(`${line}\n`)

try {
  const proxy = await startProxyProcess(readProcessSettings(process.env), write)
  write(JSON.stringify({ time: new Date().toISOString(), type: 'listening', url: proxy.url }))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void proxy.stop().then(() => process.exit(0)))
  }
} catch (error) {
  const isExpected = error instanceof ProcessSettingError || error instanceof TypeError
  process.stderr.write(`credit-report-proxy: ${isExpected ? error.message : String(error)}\n`)
  process.exitCode = 1
}
