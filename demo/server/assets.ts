// The built browser files of the demo, and the two style sheets that host pages borrow.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Hono } from 'hono'
import icon from '../shop/icon.svg?raw'

const TYPES: { [extension: string]: string } = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}
const CACHE_CONTROL = 'no-cache'

export function assetRoutes(folder: string): Hono {
  const routes = new Hono()
  routes.get('/assets/:name{[\\w-]+(?:\\.[\\w-]+)*}', ({ req }) => {
    const name = req.param('name')
    const type = TYPES[name.split('.').pop() ?? '']
    const bytes = type === undefined ? null : read(join(folder, name))
    if (type === undefined || bytes === null) return new Response('not found', { status: 404 })
    return send(bytes, type)
  })
  routes.get('/icon.svg', () => send(icon, 'image/svg+xml'))
  routes.get('/vendor/bootstrap.css', () => style(resolve('bootstrap/dist/css/bootstrap.min.css')))
  routes.get('/vendor/tailwind-preflight.css', () =>
    // Tailwind's build would put the theme's values in; the fallbacks it names are what a plain project gets.
    style(resolve('tailwindcss/preflight.css').replaceAll('--theme(', 'var(')),
  )
  return routes
}

function read(path: string): Buffer<ArrayBuffer> | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

function resolve(file: string): string {
  return readFileSync(createRequire(import.meta.url).resolve(file), 'utf8')
}

function style(css: string): Response {
  return send(css, 'text/css; charset=utf-8')
}

function send(body: string | Buffer<ArrayBuffer>, type: string): Response {
  return new Response(body, { headers: { 'Content-Type': type, 'Cache-Control': CACHE_CONTROL } })
}
