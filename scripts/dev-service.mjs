// The demo's service from its sources, for `npm run dev`.
import { createServer } from 'vite'
import { root } from './root.mjs'

const vite = await createServer({
  root,
  appType: 'custom',
  logLevel: 'warn',
  optimizeDeps: { noDiscovery: true, include: [] },
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
})
await vite.ssrLoadModule('/demo/service/main.ts')
