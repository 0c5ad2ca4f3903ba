// Pages whose style sheets mean everything but us.
import { readFileSync } from 'node:fs'
import { type HostPage, style } from './host-page.ts'

const bootstrap = readFileSync('node_modules/bootstrap/dist/css/bootstrap.min.css', 'utf8')
const preflight = readFileSync('node_modules/tailwindcss/preflight.css', 'utf8').replace(/--theme\([^)]*\)/g, 'inherit')

const LOUD = `* { font: italic 9px/1 cursive !important; letter-spacing: 9px !important; text-transform: uppercase !important;
  color: red !important; direction: rtl !important; text-align: right !important; visibility: visible !important }`

export const stylePages: HostPage[] = [
  {
    name: 'Bootstrap',
    page: { head: style(bootstrap) },
    holds: () => getComputedStyle(document.body).getPropertyValue('--bs-blue') !== '',
  },
  {
    name: 'Tailwind’s preflight',
    page: { head: style(preflight) },
    holds: () => getComputedStyle(document.querySelector('h1') ?? document.body).fontSize === '16px',
  },
  {
    name: 'everything unset',
    page: { head: style('* { all: unset !important }') },
    holds: () => getComputedStyle(document.querySelector('h1') ?? document.body).display === 'inline',
  },
  {
    name: 'everything loud and important',
    page: { head: style(LOUD) },
    holds: (element) => getComputedStyle(element).letterSpacing === '9px',
  },
  {
    name: 'everything in content boxes with margins and borders',
    page: {
      head: style(
        '*, ::before, ::after { box-sizing: content-box !important; margin: 6px !important; border: 2px dotted red !important; border-radius: 0 !important }',
      ),
    },
    holds: (element) => getComputedStyle(element).borderTopStyle === 'dotted',
  },
  {
    name: 'a root font size of 62.5%',
    page: { head: style('html { font-size: 62.5% } body { font-size: 1rem }') },
    holds: () => getComputedStyle(document.body).fontSize === '10px',
  },
  {
    name: 'no font size and no line height at all, against gaps between boxes',
    page: { head: style('body { font-size: 0; line-height: 0 }') },
    holds: () => getComputedStyle(document.body).fontSize === '0px',
  },
  {
    name: 'a page written from right to left',
    page: { html: 'lang="ar" dir="rtl"' },
    holds: (element) => getComputedStyle(element).direction === 'rtl',
  },
  {
    name: 'a page written from top to bottom',
    page: { head: style('html { writing-mode: vertical-rl }') },
    holds: (element) => getComputedStyle(element).writingMode === 'vertical-rl',
  },
  {
    name: 'a page that hides forms, labels and buttons until its own script shows them',
    page: { head: style('form, label, button, input, fieldset { display: none !important }') },
    holds: () => {
      const button = document.body.appendChild(document.createElement('button'))
      return getComputedStyle(button).display === 'none'
    },
  },
  {
    name: 'a page where nothing can be pressed or selected',
    page: { head: style('* { pointer-events: none !important; user-select: none !important }') },
    holds: (element) => getComputedStyle(element).pointerEvents === 'none',
  },
  {
    name: 'a page where everything takes five seconds to change',
    page: { head: style('* { transition: all 5s !important }') },
    holds: (element) => getComputedStyle(element).transitionDuration === '5s',
  },
  {
    name: 'a page that hides undefined elements',
    page: { head: style(':not(:defined) { display: none !important }') },
    holds: () => {
      const unknown = document.body.appendChild(document.createElement('not-yet-defined'))
      return getComputedStyle(unknown).display === 'none'
    },
  },
  {
    name: 'a dark page',
    page: { head: style('html { color-scheme: dark }') },
    holds: (element) => getComputedStyle(element).colorScheme === 'dark',
    looks: { color: 'rgb(233, 238, 242)', button: 'rgb(103, 207, 198)' },
  },
  {
    name: 'a lender’s own colours and corners',
    page: {
      head: style('credit-report-widget { --credit-report-accent: #7a1f5c; --credit-report-control-radius: 0 }'),
    },
    holds: (element) => getComputedStyle(element).getPropertyValue('--credit-report-accent') === '#7a1f5c',
    looks: { button: 'rgb(122, 31, 92)' },
  },
  {
    name: 'a page that is enlarged by half',
    page: { head: style('html { zoom: 1.5 }') },
    holds: (element) => element.currentCSSZoom === 1.5,
  },
  {
    name: 'a page that is scaled down',
    page: { head: style('body { transform: scale(0.8); transform-origin: 0 0 }') },
    holds: (element) => element.getBoundingClientRect().width < element.clientWidth,
  },
]
