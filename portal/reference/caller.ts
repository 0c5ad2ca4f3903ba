import { html } from 'hono/html'
import type { Markup } from './markdown.ts'

/** A client whose secret is no secret: the demo's. */
export type PublicClient = { id: string; secret: string; credits: number }

/** Whose credentials "try it" uses. They stay in the page: nothing keeps them but its inputs. */
export function renderCaller(publicClients: readonly PublicClient[]): Markup {
  const [first] = publicClients
  return html`<form class="caller" id="caller" autocomplete="off">
      <h2>Your credentials</h2>
      <p>For the forms below, on this page only; they are forgotten when you leave it. Reports are asked for in test mode: no credits, no text, the code is 123456.</p>
      ${
        first
          ? html`<p><label for="caller-public">A client of the demo</label>
      <select id="caller-public">${publicClients.map(({ id, secret, credits }) => html`<option value="${id}" data-secret="${secret}">${id} (began with ${credits.toLocaleString('en-GB')} credits)</option>`)}</select></p>`
          : ''
      }
      <p><label for="caller-id">Client ID</label>
      <input id="caller-id" value="${first?.id ?? ''}" autocomplete="off" spellcheck="false"></p>
      <p><label for="caller-secret">Client secret</label>
      <input id="caller-secret" type="password" value="${first?.secret ?? ''}" autocomplete="off"></p>
      <p role="status">A token is fetched when you send the first request.</p>
    </form>`
}
