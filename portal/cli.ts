#!/usr/bin/env node
// `credit-report-service` serves; `credit-report-service admin …` runs an operator's command.
const [command] = process.argv.slice(2)
if (command === 'admin') {
  process.argv.splice(2, 1)
  await import('./admin-main.ts')
} else if (command === undefined) {
  await import('./main.ts')
} else {
  process.stderr.write(`credit-report-service: there is no "${command}"; use no word to serve, or "admin"\n`)
  process.exitCode = 2
}

export {}
