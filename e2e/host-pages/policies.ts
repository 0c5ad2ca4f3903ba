// Pages that forbid, and still need nothing added but the two addresses.
import { readFileSync } from 'node:fs'
import type { HostPage, Where } from './host-page.ts'

declare global {
  interface Document {
    /** Chromium's alone. */
    featurePolicy: { allowsFeature(name: string): boolean }
  }
}

type Manifest = { [file: string]: { integrity: string } }
const manifest: Manifest = JSON.parse(readFileSync('dist/widget/manifest.json', 'utf8'))
const { integrity } = manifest['widget.js'] ?? { integrity: '' }
const everyHash = Object.values(manifest)
  .map((file) => `'${file.integrity}'`)
  .join(' ')

const strictest = ({ service }: Where): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${service}`,
    `connect-src 'self' ${service}`,
    "style-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** True when the page may run code that it has just made. */
const refusesInlineScripts = (): boolean => {
  document.head.append(Object.assign(document.createElement('script'), { innerText: 'window.ran = true' }))
  return !('ran' in window)
}

/** A visitor's upload, and markup of theirs in the page that would have the widget run it. */
const upload = { '/uploads/evil.js': 'window.ranUpload = true' }
const uploadNamed = { fingerprint: '', attributes: 'fingerprint-src="/uploads/evil.js" integrity="sha384-any"' }
const namesUploadInVain = (element: Element): boolean =>
  element.getAttribute('fingerprint-src') === '/uploads/evil.js' && !('ranUpload' in window)

export const policyPages: HostPage[] = [
  {
    name: 'the strictest policy, Trusted Types',
    page: (where) => ({ headers: { 'Content-Security-Policy': strictest(where) } }),
    holds: () => {
      try {
        document.createElement('div').innerHTML = '<b>'
        return false
      } catch {
        return true
      }
    },
  },
  {
    name: 'the strictest policy, written into the page',
    page: (where) => ({ head: `<meta http-equiv="Content-Security-Policy" content="${strictest(where)}">` }),
    holds: () => {
      try {
        document.createElement('div').innerHTML = '<b>'
        return false
      } catch {
        return true
      }
    },
  },
  {
    name: 'nonces and strict-dynamic',
    page: ({ service }) => ({
      headers: {
        'Content-Security-Policy': `default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; connect-src 'self' ${service}; base-uri 'none'`,
      },
      script: '<script nonce="abc" async src="/credit-reports/widget.js"></script>',
      fingerprint: `<script nonce="abc" async src="${service}/v1/fingerprints/device"></script>`,
    }),
    holds: () => document.querySelector('script[nonce]') !== null,
  },
  {
    name: 'a hash and strict-dynamic, and markup that names an upload',
    page: ({ service }) => ({
      headers: {
        'Content-Security-Policy': `default-src 'none'; script-src '${integrity}' 'strict-dynamic'; connect-src 'self' ${service}; base-uri 'none'`,
      },
      script: `<script async crossorigin src="/credit-reports/widget.js" integrity="${integrity}"></script>`,
      ...uploadNamed,
    }),
    files: upload,
    holds: namesUploadInVain,
  },
  {
    name: 'a loader that removes its tag, and markup that names an upload',
    page: ({ service }) => ({
      headers: {
        'Content-Security-Policy': `default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; connect-src 'self' ${service}; base-uri 'none'`,
      },
      script: `<script nonce="abc">
        const tag = document.createElement('script')
        tag.src = '/credit-reports/widget.js'
        document.head.append(tag)
        document.currentScript.remove()
      </script>`,
      ...uploadNamed,
    }),
    files: upload,
    holds: namesUploadInVain,
  },
  {
    name: 'a policy that lists hashes for everything of ours',
    page: ({ service }) => ({
      headers: {
        'Content-Security-Policy': `default-src 'none'; script-src ${everyHash} ${service}; connect-src 'self' ${service}`,
      },
      script: `<script async crossorigin src="/credit-reports/widget.js" integrity="${integrity}"></script>`,
    }),
    holds: refusesInlineScripts,
  },
  {
    name: 'a page that only runs scripts whose hash it knows',
    page: ({ service, fingerprintIntegrity }) => ({
      headers: { 'Integrity-Policy': 'blocked-destinations=(script)' },
      script: `<script async crossorigin src="/credit-reports/widget.js" integrity="${integrity}"></script>`,
      fingerprint: `<script async crossorigin src="${service}/v1/fingerprints/device" integrity="${fingerprintIntegrity}"></script>`,
    }),
    holds: () =>
      new Promise((resolve) => {
        const tag = Object.assign(document.createElement('script'), { src: '/credit-reports/widget.js?again' })
        tag.addEventListener('error', () => resolve(true))
        tag.addEventListener('load', () => resolve(false))
        document.head.append(tag)
      }),
  },
  {
    name: 'a page isolated from all others',
    page: { headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' } },
    holds: () => crossOriginIsolated,
  },
  {
    name: 'a page that hides its address and may use no feature',
    page: {
      headers: {
        'Referrer-Policy': 'no-referrer',
        'Permissions-Policy': 'otp-credentials=(), clipboard-read=(), clipboard-write=(), geolocation=(), autoplay=()',
      },
    },
    holds: () => !document.featurePolicy.allowsFeature('geolocation'),
  },
]
