// Pages whose other scripts have changed the world.
import { readFileSync } from 'node:fs'
import { type HostPage, script } from './host-page.ts'

const file = (path: string) => script(readFileSync(path, 'utf8'))

const POLLUTE = `
  Object.prototype.each = function () {}
  Object.prototype.extend = function () {}
  Object.prototype.onclick = 'alert(1)'
  Object.prototype.title = 'polluted'
  Object.prototype.dangerouslySetInnerHTML = { __html: '<img src=x onerror="window.hacked = true">' }
  Array.prototype.last = function () { return this[this.length - 1] }`

const FREEZE = '[Object, Array, Function, Promise, Element, Event].forEach((made) => Object.freeze(made.prototype))'

/** The behaviour of error monitors and session recorders. */
const WRAP = `
  window.wrapped = 0
  const wrap = (owner, name, change) => {
    const original = owner[name]
    owner[name] = function (...given) { wrapped++; return original.apply(this, change ? change(given) : given) }
  }
  const guard = (run) => typeof run !== 'function' ? run : function (...given) { try { return run.apply(this, given) } catch (error) { console.log(error); throw error } }
  wrap(EventTarget.prototype, 'addEventListener', ([type, listener, ...rest]) => [type, guard(listener), ...rest])
  for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame']) wrap(window, name, ([run, ...rest]) => [guard(run), ...rest])
  wrap(Element.prototype, 'attachShadow')
  wrap(customElements, 'define')
  const ask = window.fetch
  window.fetch = async (input, options = {}) => {
    const answer = await ask(input, { ...options, headers: { ...options.headers, traceparent: '00-1-1-01' } })
    answer.clone().text()
    return answer
  }`

/** A fetch from before there was one, over XMLHttpRequest. */
const OLD_FETCH = `
  window.fetch = (input, { method = 'GET', headers = {}, body } = {}) => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, String(input))
    for (const name of Object.keys(headers)) request.setRequestHeader(name, headers[name])
    request.onerror = () => reject(new TypeError('Network request failed'))
    request.onload = () => resolve({
      ok: request.status >= 200 && request.status < 300, status: request.status,
      headers: { get: (name) => request.getResponseHeader(name) },
      json: () => Promise.resolve(request.responseText).then(JSON.parse),
    })
    request.send(body)
  })
  window.fetch.isOld = true`

/** As a browser's own translation does it: each text goes into two <font> elements, and again whenever it changes. */
const TRANSLATE = `
  const translate = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walker.nextNode()) texts.push(walker.currentNode)
    for (const text of texts) {
      if (!text.data.trim() || text.parentNode?.localName === 'font') continue
      const outer = document.createElement('font'), inner = document.createElement('font')
      text.replaceWith(outer)
      outer.append(inner)
      inner.append(text.data)
    }
  }
  const attach = Element.prototype.attachShadow
  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options)
    new MutationObserver(() => translate(root)).observe(root, { childList: true, subtree: true, characterData: true })
    return root
  }`

/** As password managers do it: an icon of their own after every input, and marks on the input. */
const ADD_ICONS = `
  window.icons = 0
  setInterval(() => {
    for (const host of document.querySelectorAll('credit-report-widget'))
      for (const input of host.shadowRoot?.querySelectorAll('input:not([data-manager])') ?? []) {
        input.dataset.manager = 'known'
        input.style.backgroundImage = 'none'
        input.after(Object.assign(document.createElement('manager-icon'), { textContent: '🔑' }))
        icons++
      }
  }, 20)`

/** As a shop's search does it: letters are shortcuts, wherever they are typed. */
const SHORTCUTS = `
  window.stolen = ''
  for (const type of ['keydown', 'keypress'])
    document.addEventListener(type, (event) => { stolen += event.key; if (event.key !== 'Tab' && event.key !== 'Enter') event.preventDefault() })`

const ROUTER = `
  window.routed = []
  document.addEventListener('click', (event) => {
    const link = event.composedPath().find((node) => node.localName === 'a')
    if (link) { event.preventDefault(); routed.push(link.href); location.hash = '#/elsewhere' }
  })
  addEventListener('hashchange', () => { document.body.textContent = 'Another page' })
  const push = history.pushState
  history.pushState = function (...given) { routed.push(given[2]); return push.apply(this, given) }`

export const scriptPages: HostPage[] = [
  {
    name: 'zone.js',
    page: { head: file('node_modules/zone.js/bundles/zone.umd.min.js') },
    holds: () => 'Zone' in window,
  },
  {
    name: 'a polluted Object.prototype',
    page: { head: script(POLLUTE) },
    holds: () => 'each' in {} && !('hacked' in window),
  },
  {
    name: 'Prototype.js',
    page: { head: file('e2e/fingerprint-pages/prototype-like.js') },
    holds: () => 'toJSON' in [],
  },
  {
    name: 'MooTools',
    page: { head: file('e2e/fingerprint-pages/mootools-like.js') },
    holds: () => 'MooTools' in window,
  },
  {
    name: 'frozen built-ins',
    page: { head: script(FREEZE) },
    holds: () => Object.isFrozen(Object.prototype),
  },
  {
    name: 'an error monitor that wraps listeners, timers, requests and shadow roots',
    page: { head: script(WRAP) },
    holds: () => Number(Reflect.get(window, 'wrapped')) > 10,
  },
  {
    name: 'a fetch from before there was one',
    page: { head: script(OLD_FETCH) },
    holds: () => Reflect.has(window.fetch, 'isOld'),
  },
  {
    name: 'a module loader of the old kind',
    page: {
      head: script(`window.define = Object.assign(() => { throw new Error('not for you') }, { amd: {} })
        window.exports = {}; window.module = { exports }; window.require = () => { throw new Error('not for you') }`),
    },
    holds: () => Reflect.ownKeys(Reflect.get(window, 'exports')).length === 0,
  },
  {
    name: 'storage that throws',
    page: {
      head: script(`for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
        Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError') } })`),
    },
    holds: () => {
      try {
        return window.sessionStorage === null
      } catch {
        return true
      }
    },
  },
  {
    name: 'elements named like parts of the browser',
    page: {
      before: `<form name="currentScript"></form><img name="visibilityState" alt=""><img name="readyState" alt="">
        <form id="service"></form><a id="fetcher"></a>`,
      script: '<script defer src="/credit-reports/widget.js"></script>',
    },
    holds: () =>
      document.currentScript instanceof HTMLFormElement && Reflect.get(window, 'service') instanceof HTMLFormElement,
  },
  {
    name: 'a page that has registered its own function for the session',
    page: { head: script('window.service = { deviceFingerprint: ({ sessionId }) => { window.heard = sessionId } }') },
    holds: () => /^[\w-]{32}$/.test(String(Reflect.get(window, 'heard'))),
  },
  {
    name: 'a page that uses window.service for something else, and has frozen it',
    page: { head: script('window.service = Object.freeze({ name: "Saturday delivery" })') },
    holds: () => Object.isFrozen(Reflect.get(window, 'service')),
  },
  {
    name: 'a browser that translates the page',
    page: { head: script(TRANSLATE) },
    holds: (element) => (element.shadowRoot?.querySelectorAll('font').length ?? 0) > 10,
  },
  {
    name: 'a password manager that puts its icons into the fields',
    page: { head: script(ADD_ICONS) },
    holds: () => Number(Reflect.get(window, 'icons')) > 10,
  },
  {
    name: 'a recorder that copies the page again and again',
    page: {
      head: script(`window.copies = 0
        setInterval(() => { document.implementation.createHTMLDocument().importNode(document.documentElement, true); copies++ }, 30)`),
    },
    holds: () => Number(Reflect.get(window, 'copies')) > 3,
  },
  {
    name: 'keyboard shortcuts on every letter',
    page: { head: script(SHORTCUTS) },
    holds: () => Reflect.get(window, 'stolen') === '',
  },
  {
    name: 'a router that follows links and hashes itself',
    page: { head: script(ROUTER) },
    holds: () => Reflect.get(window, 'routed').length === 0 && location.hash === '',
  },
  {
    name: 'a framework that puts the element somewhere else at every step',
    page: {
      after: `<div id="slots"></div>${script(`window.moves = 0
        document.addEventListener('credit-report-step', ({ target }) => {
          const slot = document.createElement('div')
          document.querySelector('#slots').append(slot)
          slot.append(target)
          moves++
        })`)}`,
    },
    holds: (element) => element.closest('#slots') !== null && Reflect.get(window, 'moves') === 5,
  },
  {
    name: 'a service worker that answers from its cache first',
    page: {
      document: ({
        scripts,
        element,
      }) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Checkout</title>
        ${script(`navigator.serviceWorker.register('/offline-worker.js')
          navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller || new Promise((go) => { navigator.serviceWorker.oncontrollerchange = go }))
          .then(() => { document.body.append(document.createRange().createContextualFragment(\`${scripts.replaceAll('</script>', '<\\/script>')}${element}\`)) })`)}
        </head><body></body></html>`,
    },
    files: {
      '/offline-worker.js': `self.onactivate = (event) => event.waitUntil(clients.claim())
        self.onfetch = (event) => event.respondWith((async () => {
          const cache = await caches.open('shop')
          const known = event.request.method === 'GET' && await cache.match(event.request)
          if (known) return known
          const answer = await fetch(event.request)
          if (event.request.method === 'GET' && answer.type === 'basic') cache.put(event.request, answer.clone())
          return answer
        })())`,
    },
    holds: async () => (await (await caches.open('shop')).keys()).some(({ url }) => url.endsWith('/widget.js')),
  },
]
