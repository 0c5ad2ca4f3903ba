import { readFileSync } from 'node:fs'

/** Node's own flags in `npm run service`, which production has too. */
export function serviceNodeFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  return String(scripts.service)
    .split(' ')
    .filter((word) => word.startsWith('--'))
}
