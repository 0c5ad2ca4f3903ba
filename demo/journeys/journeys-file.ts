import type { Plugin } from 'vite'
import { journeys } from './journeys.ts'

/** Writes the table of journeys beside the built pages, for tests that must not reach inside. */
export function journeysFile(): Plugin {
  return {
    name: 'journeys-file',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'journeys.json', source: JSON.stringify(journeys, null, 2) })
    },
  }
}
