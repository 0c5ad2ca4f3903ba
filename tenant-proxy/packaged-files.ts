// The widget's files of this package. From the sources: the folder they were built into. In the published package
// `widget/build/embed-files.ts` puts the files themselves in the place of this module, so that no bundler, file tracer
// or container image can leave one behind.
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** A folder, or each file by its name: brotli in base64. Null: the widget was not built. */
type PackagedFiles = string | { readonly [name: string]: string } | null

export function findPackagedFiles(): PackagedFiles {
  try {
    return dirname(createRequire(import.meta.url).resolve('credit-report-widget/widget.js'))
  } catch {
    return null
  }
}
