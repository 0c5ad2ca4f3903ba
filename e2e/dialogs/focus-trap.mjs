// A dialog of focus-trap, which looks into shadow roots only when it is set to.
import { createFocusTrap } from 'focus-trap'

const { attributes, html, inside } = window.parts
const box = document.createElement('div')
box.setAttribute('role', 'dialog')
const made = {
  Close() {
    const close = document.createElement('button')
    close.textContent = 'Close'
    return close
  },
  Widget() {
    const widget = document.createElement('credit-report-widget')
    for (const [name, value] of Object.entries(attributes)) widget.setAttribute(name, value)
    widget.innerHTML = html
    return widget
  },
}
box.append(...inside.map((name) => made[name]()))
const open = document.createElement('button')
open.textContent = 'Check'
open.onclick = () => {
  document.body.append(box)
  createFocusTrap(box, { tabbableOptions: { getShadowRoot: true } }).activate()
}
document.getElementById('dialog').append(open)
