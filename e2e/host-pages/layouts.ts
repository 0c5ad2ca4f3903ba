// Places on a page where the element may find itself.
import { type HostPage, script, style } from './host-page.ts'

export const layoutPages: HostPage[] = [
  {
    name: 'quirks mode',
    page: { doctype: '' },
    holds: () => document.compatMode === 'BackCompat',
  },
  {
    name: 'a flex row',
    page: { head: style('main { display: flex } credit-report-widget { flex: 1 }') },
    holds: (element) => getComputedStyle(element).flexGrow === '1',
  },
  {
    name: 'a narrow grid column',
    page: { head: style('main { display: grid; grid-template-columns: 1fr 280px }') },
    holds: (element) => element.clientWidth === 280,
  },
  {
    name: 'a cell of a table',
    page: { before: '<table><tr><td>', after: '</td></tr></table>' },
    holds: (element) => element.closest('td') !== null,
  },
  {
    name: 'columns of a newspaper',
    page: { head: style('main { columns: 2 }') },
    holds: (element) => getComputedStyle(element.parentElement ?? element).columnCount === '2',
  },
  {
    name: 'no box of its own',
    page: { head: style('credit-report-widget { display: contents }') },
    holds: (element) => getComputedStyle(element).display === 'contents',
  },
  {
    name: 'a modal dialog',
    page: {
      before: '<dialog>',
      after: `</dialog>${script('document.querySelector("dialog").showModal()')}`,
    },
    holds: (element) => element.closest('dialog:modal') !== null,
  },
  {
    name: 'a popover that is opened later',
    page: {
      head: style('[popover] { max-height: 90vh }'),
      before: '<button popovertarget="check">Check</button><div popover id="check">',
      after: '</div>',
    },
    enter: (page) => page.getByRole('button', { name: 'Check', exact: true }).click(),
    holds: (element) => element.closest(':popover-open') !== null,
  },
  {
    name: 'a folded part of the page',
    page: { before: '<details><summary>Your credit check</summary>', after: '</details>' },
    enter: (page) => page.getByText('Your credit check').click(),
    holds: (element) => element.closest('details[open]') !== null,
  },
  {
    name: 'a tab that is not shown at first',
    page: {
      before: '<button onclick="panel.hidden = false">Finance</button><div id="panel" hidden>',
      after: '</div>',
    },
    enter: (page) => page.getByRole('button', { name: 'Finance' }).click(),
    holds: (element) => element.closest('#panel') !== null,
  },
  {
    name: 'bars that stay over the top and the bottom of the page',
    page: {
      head: style(
        `body { margin: 0; padding-block: 100px } .bar { position: fixed; inset: 0 0 auto; block-size: 90px; background: #eee }
        .bar.low { inset: auto 0 0 }`,
      ),
      before: '<div class="bar">Shop</div>',
      after: '<div class="bar low">We use cookies</div>',
    },
    holds: () => document.elementFromPoint(10, 10)?.className === 'bar',
  },
  {
    name: 'a page that scrolls in a box of its own',
    page: {
      head: style('html, body { height: 100%; margin: 0; overflow: hidden } main { height: 300px; overflow: auto }'),
    },
    holds: (element) => (element.parentElement?.scrollHeight ?? 0) > (element.parentElement?.clientHeight ?? 0),
  },
  {
    name: 'far down a long page that draws only what is seen',
    page: {
      head: style('section { height: 6000px } main { content-visibility: auto; contain-intrinsic-size: auto 900px }'),
      before: '<section>Cars</section>',
    },
    holds: (element) => element.getBoundingClientRect().top + scrollY > 6000,
  },
  {
    name: 'the shadow root of another component',
    page: {
      document: ({
        scripts,
        element,
      }) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Checkout</title>${scripts}</head>
        <body><shop-checkout><template shadowrootmode="open"><main>${element}</main></template></shop-checkout></body></html>`,
    },
    holds: (element) => element.getRootNode() instanceof ShadowRoot,
  },
  {
    name: 'the lender’s own form, with fields of the same names and ids',
    page: {
      before: `<form action="/order" onsubmit="window.sent = true"><label for="firstName">First name</label>
        <input id="firstName" name="firstName" value="Alex"><input id="postcode" name="postcode" value="YO1 7HH">`,
      after: '<button id="continue">Continue to payment</button></form>',
    },
    holds: (element) => element.closest('form') !== null && !('sent' in window),
  },
  {
    name: 'a label that says what the element is',
    page: { before: '<label>Your credit check', after: '</label>' },
    holds: (element) => element.closest('label') !== null,
  },
  {
    name: 'a part of the page that is being edited',
    page: { before: '<div contenteditable>', after: '</div>' },
    holds: (element) => element instanceof HTMLElement && element.isContentEditable,
  },
  {
    name: 'a frame of the page, narrow and low',
    page: {},
    frame: 'width="320" height="256"',
    holds: () => window !== window.top && innerWidth === 320,
  },
  {
    name: 'a frame that may do little',
    page: {},
    frame: 'width="600" height="900" sandbox="allow-scripts allow-same-origin allow-forms"',
    holds: () => {
      // Opening a window is one of the things it may not do.
      return window.open('about:blank') === null
    },
  },
  {
    name: 'a frame that may not send forms',
    page: {},
    frame: 'width="600" height="900" sandbox="allow-scripts allow-same-origin"',
    holds: () => {
      let isSent = false
      const form = document.body.appendChild(document.createElement('form'))
      form.addEventListener('submit', () => {
        isSent = true
      })
      form.requestSubmit()
      return !isSent
    },
  },
  {
    name: 'a frame that the page around it wrote',
    page: {},
    frame: 'width="600" height="900"',
    isFrameWritten: true,
    holds: () => location.href === 'about:srcdoc',
  },
]
