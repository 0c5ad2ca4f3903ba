// Finds mutants that the compiler refuses. The compiler was their test, and they say nothing about the others.
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Mutant } from './find-mutants.ts'

const run = promisify(execFile)

export type Compiler = { refuses(mutant: Mutant): Promise<boolean>; close(): void }

/** Compiles a copy of the sources: the ones on the disk are never touched. */
export function createCompiler(): Compiler {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'))
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mts', '*.json'], { encoding: 'utf8' })
  for (const file of files.split('\n').filter(Boolean)) cpSync(file, join(folder, file))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))

  async function hasProblem(): Promise<boolean> {
    const tsc = join(folder, 'node_modules/typescript/bin/tsc')
    return run(process.execPath, [tsc, '--incremental', '--tsBuildInfoFile', 'built'], { cwd: folder }).then(
      () => false,
      () => true,
    )
  }

  // One at a time: they share a folder.
  let last: Promise<unknown> = hasProblem().then((isBroken) => {
    if (isBroken) throw new Error('the compiler refuses the sources with nothing changed')
  })

  return {
    refuses({ file, code }) {
      const verdict = last.then(async () => {
        writeFileSync(join(folder, file), code)
        const isRefused = await hasProblem()
        writeFileSync(join(folder, file), readFileSync(file))
        return isRefused
      })
      last = verdict
      return verdict
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
