// Parts that are loaded when they are needed. In the module build the host's bundler splits them; the script build swaps this
// file for `chunks-by-address.ts`.

export type Chunks = {
  check: typeof import('./check/index.tsx')
  report: typeof import('./report/index.tsx')
  'find-address': typeof import('./screens/find-address.tsx')
  cy: typeof import('./strings/welsh.ts')
  diagnose: typeof import('./diagnose.ts')
}

const load: { [Name in keyof Chunks]: () => Promise<Chunks[Name]> } = {
  check: () => import('./check/index.tsx'),
  report: () => import('./report/index.tsx'),
  'find-address': () => import('./screens/find-address.tsx'),
  cy: () => import('./strings/welsh.ts'),
  diagnose: () => import('./diagnose.ts'),
}

export function loadChunk<Name extends keyof Chunks>(name: Name): Promise<Chunks[Name]> {
  return load[name]()
}
