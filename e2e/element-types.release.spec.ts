// The element in a lender's templates, with the real types of React, Preact and Svelte, as npm has them.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { fetchPeers } from '../scripts/fetch-peers.mjs'

const PACKAGES = ['@types/react@19.3.0', 'preact@11.2.0', 'svelte@5.57.3']
const GOOD = `endpoint="/credit-reports" nonce="n" fingerprint-src="https://s.example/d" role="region" inert={false} tabIndex={0}`

// The packages are fetched once, into one folder: not by several workers at the same time.
test.describe.configure({ mode: 'default' })

const projects = [
  {
    name: 'React 19',
    entry: 'react',
    jsxImportSource: 'react',
    good: `<credit-report-widget ${GOOD} onClick={() => {}} onFocus={() => {}} suppressHydrationWarning key="a"
      aria-label="Check" data-x="1" className="a" oncredit-report-complete={({ detail }) => detail.creditReportId.trim()} />`,
  },
  {
    name: 'Preact',
    entry: 'preact',
    jsxImportSource: 'preact',
    good: `<credit-report-widget ${GOOD} onClick={() => {}} onFocus={() => {}} key="a" class="a" />`,
  },
]

/** Resolves to what the compiler says of these files. */
function compile(folder: string, compilerOptions: object, file: string): string {
  const options = { noEmit: true, strict: true, module: 'nodenext', target: 'es2022', skipLibCheck: true }
  const config = { compilerOptions: { ...options, types: [], ...compilerOptions }, files: [file] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  return spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', '.'], {
    cwd: folder,
    encoding: 'utf8',
  }).stdout
}

function openProject(): string {
  const modules = fetchPeers('element-types', PACKAGES)
  if (modules === null) throw new Error('npm does not give the types of React, Preact and Svelte')
  const folder = resolve(modules, '..')
  const link = join(modules, 'credit-report-widget')
  rmSync(link, { force: true, recursive: true })
  symlinkSync(resolve('packages/credit-report-widget'), link)
  mkdirSync(folder, { recursive: true })
  return folder
}

for (const { name, entry, jsxImportSource, good } of projects)
  test(`${name} takes what every element takes, and refuses what none does`, () => {
    const folder = openProject()
    const head = `import 'credit-report-widget/${entry}'\n`
    const bad = `// @ts-expect-error The theme is one of three.\nexport const bad = <credit-report-widget theme="pink" />\n`
    writeFileSync(join(folder, 'page.tsx'), `${head}export const good = ${good}\n${bad}`)
    const jsx = { jsx: 'react-jsx', jsxImportSource, preserveSymlinks: true, lib: ['es2023', 'dom', 'dom.iterable'] }
    expect(compile(folder, jsx, 'page.tsx')).toBe('')
  })

test('Svelte takes what every element takes, and refuses what none does', () => {
  const folder = openProject()
  const page = `import 'credit-report-widget/svelte'
    import type { SvelteHTMLElements } from 'svelte/elements'
    type Props = SvelteHTMLElements['credit-report-widget']
    export const good: Props = { endpoint: '/a', nonce: 'n', role: 'region', inert: true, onclick() {}, tabindex: 0 }
    // @ts-expect-error The theme is one of three.
    export const bad: Props = { theme: 'pink' }`
  writeFileSync(join(folder, 'page.ts'), page)
  expect(compile(folder, { preserveSymlinks: true, lib: ['es2023', 'dom', 'dom.iterable'] }, 'page.ts')).toBe('')
})
