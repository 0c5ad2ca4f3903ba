// docs/lender/any-server.md against what it describes. Its webhook receivers are run by any-server.release.test.ts.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('docs/lender/any-server.md', 'utf8')

test('the page shows nginx.conf word for word', () => {
  const example = readFileSync('docs/examples/any-server/nginx.conf', 'utf8')
  expect(page).toContain(`${example.trimEnd()}\n\`\`\``)
})

test('the page names every setting of the process', () => {
  const names = [...readFileSync('tenant-proxy/process.ts', 'utf8').matchAll(/'([A-Z]+(?:_[A-Z]+)*)'/g)].map(
    ([, name]) => name,
  )
  expect(names.length).toBeGreaterThan(12)
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})
