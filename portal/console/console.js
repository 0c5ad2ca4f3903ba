// The console works without this script. With it, secrets are copied by a button, `/` leads to the search, menus close by
// themselves, and a form that was typed before a sign-in is filled in. It is in the page itself, and its hash is in the policy.
;(() => {
  const COPIED_MS = 2000
  const SHORTCUT = 'console-shortcut'

  for (const button of document.querySelectorAll('button[data-copy]')) button.hidden = false
  document.addEventListener('click', (event) => {
    const button = event.target.closest('button[data-copy]')
    if (button) void copy(button)
    closeMenus(event.target)
  })

  async function copy(button) {
    const source = button.previousElementSibling
    const items = [...source.querySelectorAll('li')]
    const text = items.length > 0 ? items.map((item) => item.textContent).join('\n') : source.textContent
    const words = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Not copied',
    )
    const [word] = button.childNodes
    word.data = words
    setTimeout(() => {
      word.data = 'Copy'
    }, COPIED_MS)
  }

  /** All but the one that holds `kept`. */
  function closeMenus(kept) {
    for (const menu of document.querySelectorAll('details.actions[open]')) if (!menu.contains(kept)) menu.open = false
  }

  // A shortcut of one character can be turned off: people who dictate type characters without meaning to.
  const isOn = () => localStorage.getItem(SHORTCUT) !== 'off'
  const choice = document.querySelector('input[data-shortcut]')
  if (choice) {
    choice.closest('[hidden]').hidden = false
    choice.checked = isOn()
    choice.addEventListener('change', () => localStorage.setItem(SHORTCUT, choice.checked ? 'on' : 'off'))
  }
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closeMenus(null)
    const isTyping = event.target.closest('input, select, textarea')
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping || !isOn()) return
    const search = document.querySelector('.find input')
    if (search) event.preventDefault()
    search?.focus()
  })

  const { kept } = document.querySelector('main').dataset
  if (kept) fillIn(JSON.parse(kept))

  function fillIn({ action, fields }) {
    const form = [...document.forms].find((each) => each.method === 'post' && new URL(each.action).pathname === action)
    if (!form) return
    for (const input of form.querySelectorAll('input[type=checkbox]')) input.checked = false
    for (const [name, value] of fields) {
      for (const input of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
        if (input.type === 'checkbox') input.checked ||= input.value === value
        else if (input.type !== 'hidden') input.value = value
      }
    }
    form.querySelector('input:not([type=hidden]), select')?.focus()
  }
})()
