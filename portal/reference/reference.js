// Search, the menu of narrow screens, the place in the page, and copying. Written for browsers as it is: there is nothing
// to build.
import { rank } from './search.js'

const COPIED_MS = 2_000
const HITS_MAX = 12

const side = document.querySelector('#side')
const pages = document.querySelector('#pages')
const menu = document.querySelector('#menu')
const searchWords = document.querySelector('#search-words')
const searchStatus = document.querySelector('#search [role=status]')
const hits = document.querySelector('#hits')
const links = [...pages.querySelectorAll('li li a')]

// An address of before there were pages names a line of the first page's lists; that leads on.
const old = location.hash && document.querySelector(`.index ${CSS.escape(location.hash).replace('\\#', '#')} a`)
if (old) location.replace(old.href)

document.documentElement.classList.add('scripted')
menu.hidden = false
document.querySelector('#search').hidden = false
menu.addEventListener('click', () => showMenu(menu.getAttribute('aria-expanded') === 'false'))
side.addEventListener('click', (event) => {
  if (!event.target.closest('a')) return
  searchWords.value = ''
  showHits([])
  showMenu(false)
})
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select')
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault()
    showMenu(true)
    searchWords.focus()
  }
  if (event.key !== 'Escape' || menu.getAttribute('aria-expanded') === 'false') return
  showMenu(false)
  menu.focus()
})

function showMenu(isOpen) {
  menu.setAttribute('aria-expanded', String(isOpen))
  side.classList.toggle('open', isOpen)
}

/** What can be found on all pages; fetched once, when somebody begins to search. */
let entries = null
searchWords.addEventListener('focus', () => void getEntries())
searchWords.addEventListener('input', () => void search())
searchWords.addEventListener('keydown', async (event) => {
  if (event.key !== 'Enter') return
  await search()
  hits.querySelector('a')?.click()
})

function getEntries() {
  entries ??= fetch('/docs/search.json').then((response) => response.json())
  return entries
}

async function search() {
  const all = await getEntries()
  showHits(rank(all, searchWords.value))
}

function showHits(found) {
  const isSearching = searchWords.value.trim() !== ''
  pages.hidden = isSearching
  searchStatus.textContent = isSearching ? `${found.length === 0 ? 'Nothing' : found.length} found` : ''
  hits.replaceChildren(
    ...found.slice(0, HITS_MAX).map(({ title, page, href }) => {
      const item = document.createElement('li')
      const link = document.createElement('a')
      const place = document.createElement('small')
      link.href = href
      place.textContent = page
      link.append(title, place)
      item.append(link)
      return item
    }),
  )
}

/**
 * Marks where the reader is: the last guide or operation that begins above the middle of the window; at the end of the
 * page, the last of all.
 */
function markCurrent() {
  const isAtEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2
  const edge = isAtEnd ? Infinity : innerHeight / 2
  const above = links.filter(({ hash }) => document.getElementById(hash.slice(1)).getBoundingClientRect().top < edge)
  const current = above.at(-1)
  for (const link of links) {
    if (link === current) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
}
let isWaiting = false
addEventListener('scroll', () => {
  if (isWaiting) return
  isWaiting = true
  requestAnimationFrame(() => {
    isWaiting = false
    markCurrent()
  })
})
markCurrent()

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
