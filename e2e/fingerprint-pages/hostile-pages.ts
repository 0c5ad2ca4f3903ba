// Pages that make the fingerprint script's life hard. Every row ends the same way: the page's function was called,
// once, with a session the service has stored.
import { setTimeout } from 'node:timers/promises'
import { expect } from '@playwright/test'
import { inline, plainTag, REGISTER } from './page.ts'
import type { Case } from './servers.ts'

export type HostilePage = {
  name: string
  /** Before the script's tag. @default the page registers its function */
  before?: string
  /** @default a plain tag */
  tag?: (device: string) => string
  after?: string
  headers?: (origin: string) => { [name: string]: string }
  /** True when the service receives the signals. @default true */
  profiled?: boolean
  /** The address of the session, if not the one in the tag. */
  asksAt?: 'its public address'
  /** The page breaks what some drivers need in order to look into it. */
  spoilsDrivers?: true
  /** Messages the row means to cause. */
  errors?: RegExp
  also?: (page: Scripted, scene: Case) => Promise<unknown>
}

/** As much of a page as every engine's driver offers. */
export type Scripted = { evaluate(expression: string): Promise<unknown> }

/** Long enough for the script to have its session. */
const LATE_MS = 1_500

export const hostilePages: HostilePage[] = [
  { name: 'the function is registered first' },
  { name: 'an async tag', tag: (device) => `<script async src="${device}"></script>` },
  { name: 'a deferred tag', tag: (device) => `<script defer src="${device}"></script>` },
  { name: 'a tag with a query', tag: (device) => plainTag(`${device}?v=1#top`) },
  { name: 'a crossorigin tag', tag: (device) => `<script crossorigin src="${device}"></script>` },
  {
    name: 'a tag added by another script',
    tag: (device) =>
      inline(`document.head.append(Object.assign(document.createElement('script'), { src: '${device}' }))`),
  },
  {
    name: 'a module, which cannot see its own tag',
    tag: (device) => `<script type="module" src="${device}"></script>`,
    asksAt: 'its public address',
  },
  {
    name: 'the function is registered late',
    before: inline('window.service = {}'),
    after: inline(`setTimeout(() => { service.deviceFingerprint = record }, ${LATE_MS})`),
  },
  {
    name: 'the object is created late, as the documentation says to',
    before: '',
    after: inline(
      `setTimeout(() => { window.service = window.service || {}; window.service.deviceFingerprint = record }, ${LATE_MS})`,
    ),
  },
  {
    name: 'the object is replaced late',
    before: inline('window.service = { other: 1 }'),
    after: inline(`setTimeout(() => { window.service = { deviceFingerprint: record } }, ${LATE_MS})`),
  },
  {
    name: 'the object is spread into another late',
    before: inline('window.service = {}'),
    after: inline(
      `setTimeout(() => { service.deviceFingerprint = record; window.service = { ...service, more: 1 } }, ${LATE_MS})`,
    ),
  },
  {
    name: 'the script is included twice',
    tag: (device) => plainTag(device) + plainTag(device),
  },
  {
    name: 'a second copy comes late',
    after: inline(
      `setTimeout(() => document.head.append(Object.assign(document.createElement('script'), { src: document.scripts[2].src })), ${LATE_MS})`,
    ),
    also: () => setTimeout(LATE_MS * 2),
  },
  {
    name: 'a second copy under another address',
    tag: (device) => plainTag(device) + plainTag(`${device}?copy=2`),
  },
  {
    name: 'the object is frozen',
    before: inline('window.service = Object.freeze({ deviceFingerprint: record, other: 1 })'),
    also: async (page) => expect(await page.evaluate('Object.isFrozen(service)')).toBe(true),
  },
  {
    name: 'the object is frozen without a function, and replaced',
    before: inline('window.service = Object.freeze({})'),
    after: inline(`setTimeout(() => { window.service = { deviceFingerprint: record } }, ${LATE_MS})`),
  },
  {
    name: 'the object is sealed with an empty place',
    before: inline('window.service = Object.seal({ deviceFingerprint: null })'),
    after: inline(`setTimeout(() => { service.deviceFingerprint = record }, ${LATE_MS})`),
  },
  {
    name: 'the object holds other things',
    before: inline('window.service = { name: "tax", load() { return 1 }, deviceFingerprint: record }'),
    also: async (page) =>
      expect(await page.evaluate('[service.name, service.load(), Object.keys(service).join()]')).toEqual([
        'tax',
        1,
        'name,load,deviceFingerprint',
      ]),
  },
  {
    name: 'the object is a function',
    before: inline('window.service = function () { return 7 }; service.deviceFingerprint = record'),
    also: async (page) => expect(await page.evaluate('service()')).toBe(7),
  },
  {
    name: 'the object is a form of that name',
    before: `<form id="service"></form>${inline('service.deviceFingerprint = record')}`,
    also: async (page) => expect(await page.evaluate('service.tagName')).toBe('FORM'),
  },
  {
    name: 'the object is a text, which is left alone, and later replaced',
    before: inline('window.service = "loans"'),
    after: inline(
      `setTimeout(() => { window.kept = window.service; window.service = { deviceFingerprint: record } }, ${LATE_MS})`,
    ),
    also: async (page) => expect(await page.evaluate('kept')).toBe('loans'),
  },
  {
    name: 'the object is null',
    before: inline('window.service = null'),
    after: inline(`setTimeout(() => { service.deviceFingerprint = record }, ${LATE_MS})`),
  },
  {
    name: 'the object throws when touched, until it is replaced',
    before: inline('Object.defineProperty(window, "service", { configurable: true, get() { throw Error("mine") } })'),
    after: inline(
      `setTimeout(() => { Object.defineProperty(window, "service", { value: { deviceFingerprint: record } }) }, ${LATE_MS})`,
    ),
  },
  {
    name: 'the function throws, and the page sees where',
    before: inline('window.service = { deviceFingerprint(answer) { record(answer); throw new Error("mine") } }'),
    errors: /^mine$/,
    also: async (page) => {
      await expect
        .poll(() => page.evaluate('failures.map((failure) => failure.filename).join()'))
        .toBe(await page.evaluate('location.href'))
      expect(await page.evaluate('document.__deviceFingerprint.state')).toBe('ready')
    },
  },
  {
    name: 'the page runs Prototype.js',
    spoilsDrivers: true,
    before: `<script nonce="n" src="/vendor/prototype-like.js"></script>${REGISTER}`,
  },
  {
    name: 'the page runs MooTools',
    before: `<script nonce="n" src="/vendor/mootools-like.js"></script>${REGISTER}`,
  },
  {
    name: 'the page runs zone.js',
    before: `<script nonce="n" src="/vendor/zone.js"></script>${REGISTER}`,
    also: async (page) => expect(await page.evaluate('typeof Zone')).toBe('function'),
  },
  {
    name: 'Object.prototype is polluted with everything a descriptor reads',
    spoilsDrivers: true,
    before:
      inline(`for (const name of ['get', 'set', 'value', 'writable', 'enumerable', 'configurable', 'toJSON', 'sessionId', 'state', 'extra'])
        Object.prototype[name] = function () { return 'polluted' }`) + REGISTER,
    also: async (page) =>
      expect(await page.evaluate('Object.keys(document).includes("__deviceFingerprint")')).toBe(false),
  },
  {
    name: 'Array.prototype is extended',
    spoilsDrivers: true,
    before: inline('Array.prototype.extra = function () {}; Array.prototype.toJSON = () => "broken"') + REGISTER,
  },
  {
    name: 'JSON, fetch, Promise and sendBeacon are broken',
    spoilsDrivers: true,
    before:
      inline(`const fail = () => { throw Error('patched') }
        JSON.stringify = JSON.parse = window.fetch = navigator.sendBeacon = fail
        window.Promise = fail; Promise.resolve = fail`) + REGISTER,
  },
  {
    name: 'much of what came after ES5 is missing',
    spoilsDrivers: true,
    before:
      inline(`for (const name of ['Promise', 'fetch', 'Symbol', 'WeakMap', 'Proxy', 'Reflect', 'Intl', 'URL', 'AbortController'])
        delete window[name]`) + REGISTER,
  },
  {
    name: 'navigator and screen throw',
    before:
      inline(`for (const [owner, names] of [[Navigator.prototype, ['languages', 'platform', 'hardwareConcurrency', 'maxTouchPoints', 'webdriver']], [Screen.prototype, ['width', 'height']]])
        for (const name of names) Object.defineProperty(owner, name, { get() { throw Error('hidden') } })`) + REGISTER,
    also: async (_page, scene) => {
      const signals = (scene.asked[0]?.body ?? '').split('&')
      expect(signals).toEqual(expect.arrayContaining(['screen', 'languages', 'cores', 'webdriver']))
      expect(signals.some((signal) => signal.startsWith('zone='))).toBe(true)
    },
  },
  {
    name: 'storage and cookies throw',
    before:
      inline(`for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
          Object.defineProperty(window, name, { get() { throw Error('denied') } })
        Object.defineProperty(document, 'cookie', { get() { throw Error('denied') }, set() { throw Error('denied') } })`) +
      REGISTER,
  },
  {
    name: 'document.currentScript is clobbered',
    before: `<img name="currentScript" src="/favicon.ico">${REGISTER}`,
    asksAt: 'its public address',
  },
  {
    name: 'tools add a header to every request',
    before:
      inline(`const send = XMLHttpRequest.prototype.send
        XMLHttpRequest.prototype.send = function (body) { this.setRequestHeader('traceparent', '00-1'); return send.call(this, body) }`) +
      REGISTER,
    also: async (_page, scene) => expect(scene.asked.map(({ method }) => method)).toEqual(['OPTIONS', 'POST']),
  },
  {
    name: 'XMLHttpRequest answers before it is asked to wait',
    before:
      inline(`const Real = XMLHttpRequest
        window.XMLHttpRequest = function () {
          const real = new Real()
          this.open = (method, address) => real.open(method, address, false)
          this.send = (body) => { real.send(body); this.status = real.status; this.responseText = real.responseText; this.onloadend() }
        }`) + REGISTER,
    also: async (page) => expect(await page.evaluate('document.__deviceFingerprint.state')).toBe('ready'),
  },
  {
    name: 'XMLHttpRequest is broken',
    before: inline('window.XMLHttpRequest = function () { throw Error("patched") }') + REGISTER,
    profiled: false,
  },
  {
    name: 'a policy that names the service and nothing else',
    headers: (origin) => ({
      'Content-Security-Policy': `default-src 'none'; script-src 'nonce-n' ${origin}; connect-src ${origin}`,
    }),
  },
  {
    name: 'a nonce and strict-dynamic',
    headers: (origin) => ({
      'Content-Security-Policy': `default-src 'none'; script-src 'nonce-n' 'strict-dynamic'; connect-src ${origin}`,
    }),
  },
  {
    name: 'a policy without connect-src, so that only a tag gets through',
    headers: (origin) => ({ 'Content-Security-Policy': `default-src 'none'; script-src 'nonce-n' ${origin}` }),
    profiled: false,
    errors: /Content Security Policy/,
  },
  {
    name: 'the same with nothing but a nonce, which the added tag inherits',
    headers: () => ({ 'Content-Security-Policy': "default-src 'none'; script-src 'nonce-n'" }),
    profiled: false,
    errors: /Content Security Policy/,
  },
  {
    name: 'Trusted Types',
    headers: (origin) => ({
      'Content-Security-Policy': `script-src 'nonce-n' ${origin}; require-trusted-types-for 'script'; trusted-types 'none'`,
    }),
  },
  {
    name: 'cross-origin isolation',
    headers: () => ({
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cross-Origin-Opener-Policy': 'same-origin',
    }),
    also: async (page) => expect(await page.evaluate('crossOriginIsolated')).toBe(true),
  },
  {
    name: 'cross-origin isolation, and only a tag gets through',
    headers: (origin) => ({
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Content-Security-Policy': `default-src 'none'; script-src 'nonce-n' ${origin}`,
    }),
    profiled: false,
    errors: /Content Security Policy/,
  },
  {
    name: 'no referrer, and every feature turned off',
    headers: () => ({
      'Referrer-Policy': 'no-referrer',
      'Permissions-Policy': 'ch-ua-high-entropy-values=(), geolocation=(), camera=(), compute-pressure=()',
    }),
  },
]
