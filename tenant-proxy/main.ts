#!/usr/bin/env node
// `credit-report-proxy [FILE]`: settings from the environment, and from FILE what is not set there.
import { loadFindAddresses, ProcessSettingError, readProcessSettings, startProxyProcess } from './process.ts'

const write = (line: string) => void process.stdout.write(`${line}\n`)

try {
  const [, , file] = process.argv
  if (file !== undefined) process.loadEnvFile(file)
  const { options, ...listening } = readProcessSettings(process.env)
  const findAddresses = await loadFindAddresses(process.env)
  const proxy = await startProxyProcess(
    { ...listening, options: { ...options, ...(findAddresses && { findAddresses }) } },
    write,
  )
  write(JSON.stringify({ time: new Date().toISOString(), type: 'listening', url: proxy.url }))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void proxy.stop().then(() => process.exit(0)))
  }
} catch (error) {
  const isExpected = error instanceof ProcessSettingError || error instanceof TypeError
  process.stderr.write(`credit-report-proxy: ${isExpected ? error.message : String(error)}\n`)
  process.exitCode = 1
}
