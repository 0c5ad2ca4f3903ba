import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Exchange, Message } from '../../exchange.ts'
import { layOut, maskBody } from '../mask.ts'
import { exchanges, stageLabel } from '../state.ts'
import { writeCurl } from '../write-curl.ts'
import { Switch } from './choice.tsx'
import { CopyButton } from './copy-button.tsx'

const SHOWN_MAX = 100
const isMasked = signal(false)
const showsAll = signal(false)

/** Both conversations: the widget's with the proxy, and the proxy's with the service. */
export function RequestPanel(): JSX.Element {
  const shown = exchanges.value
    .filter(({ label }) => showsAll.value || label === stageLabel.value)
    .toReversed()
    .slice(0, SHOWN_MAX)
  return (
    <>
      <div class="panel-tools">
        <Switch label="Mask personal values" isOn={isMasked.value} onSwitch={(isOn) => (isMasked.value = isOn)} />
        <Switch label="All runs" isOn={showsAll.value} onSwitch={(isOn) => (showsAll.value = isOn)} />
      </div>
      {shown.length === 0 && <p class="empty">Requests appear here, newest first.</p>}
      <ol class="exchanges">
        {shown.map((exchange) => (
          <ExchangeView key={exchange.id} exchange={isMasked.value ? mask(exchange) : exchange} />
        ))}
      </ol>
    </>
  )
}

function ExchangeView({ exchange }: { exchange: Exchange }): JSX.Element {
  const { between, method, url, tookMs, request, response } = exchange
  const status = response?.status ?? 0
  return (
    <li>
      <details>
        <summary>
          <span class={`exchange-status status-${Math.floor(status / 100)}`}>{status || 'none'}</span>
          <span class="exchange-what">
            <b>{method}</b> {shortPath(url)}
            <small>
              {between}, {tookMs} ms
            </small>
          </span>
        </summary>
        <CopyButton text={() => writeCurl(exchange)}>Copy as curl</CopyButton>
        <MessageView title="Request" message={request} />
        {response ? <MessageView title="Response" message={response} /> : <p class="empty">No answer came.</p>}
      </details>
    </li>
  )
}

function MessageView({ title, message: { headers, body } }: { title: string; message: Message }): JSX.Element {
  return (
    <section>
      <h4>{title}</h4>
      <details>
        <summary>{headers.length} headers</summary>
        <pre>{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
      </details>
      {body && <pre>{layOut(body)}</pre>}
    </section>
  )
}

function mask(exchange: Exchange): Exchange {
  const { request, response } = exchange
  return {
    ...exchange,
    request: { ...request, body: maskBody(request.body) },
    response: response && { ...response, body: maskBody(response.body) },
  }
}

/** The path that tells requests apart, without the ids that make paths long. */
function shortPath(url: string): string {
  return new URL(url).pathname
    .replace(/^\/preview\/credit-reports\/[^/]+\/(?:test\/[^/]+\/[^/]+\/)?[^/]+/, '{endpoint}')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '{id}')
}
