// Widgets that other services put on a page, each with the least page it needs and answers to what it asks a server at
// its start.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Embed = {
  /** As it appears in the table. */
  name: string
  html: string
  /** The files that the page loads, by path. */
  scripts: { [path: string]: string }
  /** JSON answers by path. */
  answers?: { [path: string]: object }
  /** When it counts as there, as an expression. @default a control that can be seen, in the page or in a shadow root */
  isThere?: string
}

/** Its next versions are a small loader; the widget itself then comes from the vendor's servers only. */
const ONFIDO = 'onfido-sdk-ui@13.8.7'

export const EMBED_PACKAGES = ['@teamhanko/hanko-elements@2.7.0', 'altcha@3.2.2', ONFIDO]

export function ourEmbed(): Embed {
  return {
    name: 'widget.js',
    html: '<credit-report-widget></credit-report-widget><script src="widget.js"></script>',
    scripts: { 'widget.js': readFileSync('dist/widget/widget.js', 'utf8') },
  }
}

export function peerEmbeds(modules: string): Embed[] {
  const read = (file: string) => readFileSync(join(modules, file), 'utf8')
  return [
    {
      name: 'hanko-elements 2.7.0, a sign-in',
      html: `<hanko-auth></hanko-auth>
        <script type="module">import { register } from './elements.js'; register(location.origin + '/hanko')</script>`,
      scripts: { 'elements.js': read('@teamhanko/hanko-elements/dist/elements.js') },
      answers: { '/hanko/login': HANKO_LOGIN },
    },
    {
      name: 'altcha 3.2.2, a checkbox',
      html: '<altcha-widget challenge="/challenge"></altcha-widget><script type="module" src="altcha.js"></script>',
      scripts: { 'altcha.js': read('altcha/dist/main/altcha.min.js') },
    },
    {
      // Its first screen asks the vendor's servers, so the end of its script is counted, which comes earlier.
      name: 'onfido-sdk-ui 13.8.7, script only',
      html: '<div id="onfido-mount"></div><script src="onfido.js"></script>',
      scripts: { 'onfido.js': read('onfido-sdk-ui/dist/onfido.min.js') },
      isThere: 'typeof Onfido === "object"',
    },
  ]
}

/** The answer of its server without a session. */
const HANKO_LOGIN = {
  name: 'login_init',
  status: 200,
  csrf_token: 'x',
  payload: {},
  links: [],
  actions: {
    continue_with_login_identifier: {
      action: 'continue_with_login_identifier',
      href: '/login?action=continue_with_login_identifier',
      description: '',
      inputs: { identifier: { name: 'identifier', type: 'string', required: true, hidden: false } },
    },
  },
}
