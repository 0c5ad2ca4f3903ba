// Search, the menu of narrow screens, and copying. Written for browsers as it is: there is nothing to build.
const COPIED_MS = 2_000

const side = document.querySelector('#side')
const menu = document.querySelector('#menu')
const search = document.querySelector('#search')
const searchWords = document.querySelector('#search-words')
const searchStatus = search.querySelector('[role=status]')
const entries = [...side.querySelectorAll('li')].map((item) => {
  const link = item.querySelector('a')
  return { item, link, content: document.querySelector(link.hash).textContent.toLowerCase() }
})

document.documentElement.classList.add('scripted')
menu.hidden = false
search.hidden = false
menu.addEventListener('click', () => showMenu(menu.getAttribute('aria-expanded') === 'false'))
side.addEventListener('click', (event) => {
  if (event.target.closest('a')) showMenu(false)
})
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || menu.getAttribute('aria-expanded') === 'false') return
  showMenu(false)
  menu.focus()
})
searchWords.addEventListener('input', () => narrow(searchWords.value))
searchWords.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') entries.find(({ item }) => !item.hidden)?.link.click()
})

/** Marks the entry of the guide or operation that the address names. */
function markCurrent() {
  for (const { link } of entries) {
    if (link.hash === location.hash) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
}
addEventListener('hashchange', markCurrent)
markCurrent()

function showMenu(isOpen) {
  menu.setAttribute('aria-expanded', String(isOpen))
  side.classList.toggle('open', isOpen)
}

/** Leaves the entries that have every word somewhere in them. */
function narrow(typed) {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean)
  for (const entry of entries) entry.item.hidden = !wanted.every((word) => entry.content.includes(word))
  for (const group of side.querySelectorAll('.group')) group.hidden = !group.querySelector('li:not([hidden])')
  const count = entries.filter(({ item }) => !item.hidden).length
  searchStatus.textContent = wanted.length === 0 ? '' : `${count} of ${entries.length}`
}

// Browsers offer the clipboard on https and on localhost only.
if (navigator.clipboard) {
  for (const button of document.querySelectorAll('.copy')) {
    button.hidden = false
    button.addEventListener('click', () => void copy(button))
  }
}

async function copy(button) {
  await navigator.clipboard.writeText(button.parentElement.querySelector('pre').textContent)
  button.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = 'Copy'
  }, COPIED_MS)
}

// A language that is opened in one operation is opened in all.
for (const sample of document.querySelectorAll('.samples details')) {
  sample.querySelector('summary').addEventListener('click', () => {
    if (sample.open) return
    for (const other of document.querySelectorAll(`.samples [data-language="${sample.dataset.language}"]`)) {
      if (other !== sample) other.open = true
    }
  })
}
