// Every code block of README.md, docs/ and the packages' READMEs.
import { readdirSync, readFileSync } from 'node:fs'

export type Block = { where: string; language: string; code: string }

const pages = [
  'README.md',
  ...['docs', 'docs/lender', 'docs/operator', 'docs/auditor', 'packages'].flatMap((folder) =>
    readdirSync(folder).map((name) => `${folder}/${name}`),
  ),
].filter((name) => name.endsWith('.md'))
export const blocks: Block[] = pages.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/^```(\S*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', code = ''], index) => ({
      where: `${page} block ${index + 1}`,
      language,
      code,
    }),
  ),
)
export const blocksIn = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language))

/** The extension of a script, by its language. */
export const SCRIPTS = { js: 'mjs', jsx: 'jsx', ts: 'ts' } as const
