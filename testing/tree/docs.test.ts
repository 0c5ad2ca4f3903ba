// Every code block of README.md, docs/ and the packages' READMEs: commands exist with their options, markup uses what
// the element has, and what another test runs is, word for word, what that test runs. docs.release.test.ts checks the
// types of scripts.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { expect, test } from 'vitest'
import { readArguments } from '../../kit/command-line.ts'
import { createPreflightCommand } from '../../plugins/admin/preflight.ts'
import { everyCommand } from '../../portal/commands.ts'
import { blocks, blocksIn, SCRIPTS } from './docs-blocks.ts'

const MARKUP = ['html', 'jsx', 'vue', 'svelte']
/**
 * `ini` is pgbouncer's and `nginx` nginx's: `npm run engines` starts the first, tenant-proxy/any-server.release.test.ts
 * has the second and runs the languages of lenders' servers.
 */
const SERVERS = ['php', 'python', 'java', 'csharp']
const CHECKED = [...Object.keys(SCRIPTS), ...MARKUP, ...SERVERS, 'sh', 'json', 'sql', 'nginx', 'ini', 'text']

test('every block says what it is, and it is something that is checked here', () => {
  expect(blocks.length).toBeGreaterThan(50)
  expect(blocks.filter(({ language }) => !CHECKED.includes(language)).map(({ where }) => where)).toEqual([])
})

test.each(blocksIn('json'))('$where is JSON', ({ code }) => {
  expect(() => JSON.parse(code)).not.toThrow()
})

type Declaration = { attributes: Named[]; members: Named[]; events: Named[]; slots: Named[] }
type Named = { name: string }
const manifest = JSON.parse(readFileSync('docs/custom-elements.json', 'utf8'))
const { attributes, members, events, slots }: Declaration = manifest.modules
  .flatMap(({ declarations = [] }: { declarations?: Declaration[] }) => declarations)
  .find(({ slots }: Partial<Declaration>) => slots !== undefined)
const isOf = (list: Named[], name: string) => list.some((each) => each.name === name)

test.each(blocksIn(...MARKUP))(
  '$where: the element has every attribute, property, event and slot',
  ({ code, language }) => {
    for (const [, inside = ''] of code.matchAll(/<credit-report-widget((?:[^>"{]|"[^"]*"|\{\{?[^}]*\}\}?)*?)\/?>/g)) {
      const names = inside
        .replace(/="[^"]*"|=\{\{?[^}]*\}\}?/g, '')
        .trim()
        .split(/\s+/)
        .filter(Boolean)
      const unknown = names.filter((name) => {
        const bare = name.replace(/^(?:on(?=credit)|@|:)|\.prop$/g, '')
        return !isOf(attributes, bare) && !isOf(events, bare) && !(language !== 'html' && isOf(members, bare))
      })
      expect(unknown).toEqual([])
    }
    for (const [, slot = ''] of code.matchAll(/slot="([^"]*)"/g)) expect(slots.map(({ name }) => name)).toContain(slot)
    for (const [, script = ''] of language === 'html' ? code.matchAll(/<script>([\s\S]*?)<\/script>/g) : [])
      new Script(script)
    const tags = [...code.matchAll(/<(\/?)([a-z][\w-]*)[^>]*?(\/?)>/g)].filter(([, , , isClosed]) => !isClosed)
    const namesOf = (isEnd: boolean) => tags.filter(([, end]) => Boolean(end) === isEnd).map(([, , name]) => name)
    expect(namesOf(false).toSorted()).toEqual(namesOf(true).toSorted())
  },
)

const { scripts }: { scripts: { [name: string]: string } } = JSON.parse(readFileSync('package.json', 'utf8'))
const bins = ['credit-report-widget', 'credit-report-service'].flatMap((name) =>
  Object.keys(JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8')).bin),
)
const BIN_FOLDER = 'node_modules/.bin/'
const commands = [...everyCommand, createPreflightCommand([])]

test.each(blocksIn('sh'))('$where: a shell understands it, and its commands exist', ({ code }) => {
  execFileSync('bash', ['-n'], { input: code })
  const lines = code
    .replace(/\\\n\s*/g, '')
    .replace(/\s+#.*$/gm, '')
    .split(/\n|&&/)
  for (const line of lines) {
    const [tool = '', ...words] = line
      .trim()
      .replace(/^(?:[A-Z_]+=\S+ )+/, '')
      .replace(/[[\]]/g, '')
      .split(/\s+/)
    if (tool === 'npm') checkNpm(words)
    if (tool === 'npx') checkNpx(words)
    if (tool.startsWith(BIN_FOLDER)) checkNpx([tool.slice(BIN_FOLDER.length), ...words])
  }
})

function checkNpm([verb = '', script = '', , ...words]: string[]): void {
  expect(['ci', 'start', 'install', 'pack', 'test', 'run']).toContain(verb)
  if (verb !== 'run') return
  expect(Object.keys(scripts)).toContain(script)
  if (script === 'admin') checkAdmin(words)
}

function checkNpx([bin = '', verb = '', ...words]: string[]): void {
  expect(bins).toContain(bin)
  if (verb === 'admin') checkAdmin(words)
}

function checkAdmin(words: string[]): void {
  if (words.length === 0) return
  const asked = words.join(' ').replace(/'[^']*'/g, 'quoted')
  const command = commands.find(({ name }) => `${asked} `.startsWith(`${name} `))
  if (command === undefined) throw new Error(`there is no command "${asked}"`)
  readArguments(command.usage, asked.slice(command.name.length).split(' ').filter(Boolean))
}

test.each(blocksIn('nginx'))('$where: directives end and braces close', ({ code }) => {
  const lines = code
    .replace(/^\s*#.*$/gm, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  expect(lines.filter((line) => !/[;{}]$/.test(line))).toEqual([])
  const bare = code.replace(/\{base_url\}/g, '')
  expect(bare.split('{').length).toBe(bare.split('}').length)
})

test('every picture of README.md is there, and every picture is shown', () => {
  const readme = readFileSync('README.md', 'utf8')
  const shown = [...readme.matchAll(/docs\/images\/([\w.-]+)/g)].map(([, name]) => name)
  expect([...new Set(shown)].sort()).toEqual(readdirSync('docs/images').sort())
})

test('the reading path of ARCHITECTURE is as long as it says', () => {
  const [, said = '', table = ''] =
    /about ([\d,]+) lines\.\n\n([\s\S]*?)\n\n/.exec(readFileSync('ARCHITECTURE.md', 'utf8')) ?? []
  const files = [...table.matchAll(/^\| `([^`]+\.ts)`/gm)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(4)
  const lines = files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0)
  expect(Math.abs(lines / Number(said.replace(',', '')) - 1)).toBeLessThan(0.05)
})
