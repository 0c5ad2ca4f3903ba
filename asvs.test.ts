import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test.each(['docs/asvs.md', 'docs/threat-model.md'])('every test that %s names is there', (page) => {
  const named = [...readFileSync(page, 'utf8').matchAll(/`([\w./-]+\.ts)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((path) => !existsSync(path))).toEqual([])
})
