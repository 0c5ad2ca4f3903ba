// A dialog of Radix, which shadcn's is made of, in React's strict mode.
import * as Dialog from '@radix-ui/react-dialog'
import { createElement as h, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

const { inside } = window.parts
const Widget = () => {
  const { attributes, html } = window.parts
  return h('credit-report-widget', { ...attributes, dangerouslySetInnerHTML: { __html: html } })
}
const Close = () => h(Dialog.Close, null, 'Close')
const parts = { Close, Widget }

createRoot(document.getElementById('dialog')).render(
  h(
    StrictMode,
    null,
    h(
      Dialog.Root,
      null,
      h(Dialog.Trigger, null, 'Check'),
      h(
        Dialog.Portal,
        null,
        h(
          Dialog.Content,
          { 'aria-describedby': undefined },
          h(Dialog.Title, null, 'Credit check'),
          ...inside.map((name) => h(parts[name], { key: name })),
        ),
      ),
    ),
  ),
)
