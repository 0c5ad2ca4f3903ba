import { type Plugin, runnerImport } from 'vite'

/** Writes the table of journeys beside the built pages, for tests that must not reach inside. */
export function journeysFile(): Plugin {
  return {
    name: 'journeys-file',
    async generateBundle() {
      const { module } = await runnerImport<{ journeys: unknown }>('./demo/journeys/journeys.ts')
      this.emitFile({ type: 'asset', fileName: 'journeys.json', source: JSON.stringify(module.journeys, null, 2) })
    },
  }
}
