// @vitest-environment happy-dom
// Preact without what is left out draws what the whole of it draws.
import fc from 'fast-check'
import * as whole from 'preact'
import * as wholeHooks from 'preact/hooks'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { hostProof } from './hardening.ts'
import { leanPreact } from './lean-preact.ts'

type Library = typeof whole & typeof wholeHooks
const lean = await buildLean()

/** What a list may hold: something with a key and a memory, plain elements, text, a list in a list, nothing. */
type Item = { kind: 'keeper' | 'input' | 'text' | 'group' | 'none'; key: number }

const items = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom<Item['kind']>('keeper', 'input', 'text', 'group', 'none'),
    key: fc.integer({ min: 0, max: 9 }),
  }),
  { selector: ({ key }) => key, maxLength: 8 },
)

test('any list becomes any other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(items, { minLength: 2, maxLength: 5 }), fc.boolean(), async (lists, isKeyed) => {
      expect(await drawings(lean, lists, isKeyed)).toEqual(await drawings({ ...whole, ...wholeHooks }, lists, isKeyed))
    }),
    { numRuns: 150 },
  )
})

test('what an effect began ends with the component, and a change is heard below', async () => {
  expect(await story(lean)).toEqual(await story({ ...whole, ...wholeHooks }))
})

/** What is on the page after each list; an element that was there before says so. */
async function drawings(library: Library, lists: Item[][], isKeyed: boolean): Promise<string[]> {
  const { h, Fragment, render, useState } = library
  const root = document.createElement('div')
  const Keeper = ({ name }: { name: number }) => {
    const [first] = useState(name)
    return h(Fragment, null, h('b', { class: `is-${name}` }, first, ' ', name), name % 2 ? h('i', null, name) : null)
  }
  const draw = ({ kind, key }: Item) => {
    const keyed = isKeyed ? { key } : {}
    if (kind === 'keeper') return h(Keeper, { ...keyed, name: key })
    if (kind === 'input')
      return h('input', { ...keyed, id: `i${key}`, hidden: key > 5, tabIndex: -1, 'aria-label': key })
    if (kind === 'group') return [h('p', keyed, key), false, `and ${key}`]
    return kind === 'text' ? `text ${key}` : null
  }
  const shown: string[] = []
  for (const list of lists) {
    render(h('section', null, h('h1', null, list.length), list.map(draw), h('hr', null)), root)
    await new Promise((resolve) => setTimeout(resolve))
    shown.push(root.innerHTML)
  }
  render(null, root)
  return [...shown, root.innerHTML]
}

async function story(library: Library): Promise<string[]> {
  const { createContext, h, render, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } = library
  const told: string[] = []
  const root = document.createElement('div')
  const Colour = createContext('none')
  const Leaf = () => {
    const colour = useContext(Colour)
    const box = useRef<HTMLElement>(null)
    useLayoutEffect(() => {
      told.push(`layout ${colour} ${box.current?.textContent}`)
      return () => told.push(`layout off ${colour}`)
    }, [colour])
    useEffect(() => {
      told.push(`effect ${colour}`)
      return () => told.push(`effect off ${colour}`)
    }, [colour])
    return h('em', { ref: box }, colour)
  }
  const Tree = ({ name }: { name: string }) => {
    const [count, setCount] = useState(0)
    const still = useMemo(() => h(Leaf, null), [])
    const [, draw] = useState('')
    if (name === 'b' && count < 2) setCount((before) => before + 1)
    return h(
      Colour.Provider,
      { value: `${name}${count}` },
      h('button', { onClick: () => setCount(count + 10) }, count),
      h('span', { ref: (node: Element | null) => void told.push(node ? 'here' : 'gone') }),
      name !== 'c' && still,
      h(
        'select',
        { value: name, onChange: () => draw('x') },
        ['a', 'b'].map((value) => h('option', { value }, value)),
      ),
    )
  }
  for (const name of ['a', 'b', 'c', 'a']) {
    render(h(Tree, { name }), root)
    await nextPaint()
    root.querySelector('button')?.click()
    await nextPaint()
    told.push(root.innerHTML, root.querySelector('select')?.value ?? '')
  }
  render(null, root)
  await nextPaint()
  return [...told, root.innerHTML]
}

/** Effects wait for a frame and a task after it; this was asked for later than they were. */
function nextPaint(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve))))
}

async function buildLean(): Promise<Library> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [
      {
        name: 'everything-used',
        enforce: 'pre',
        resolveId: (source) => (source.endsWith('everything') ? '\0everything' : null),
        load: (id) =>
          id === '\0everything'
            ? `export { createContext, Fragment, h, render } from 'preact'
               export { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'`
            : null,
      },
      leanPreact(),
      hostProof(),
    ],
    build: { write: false, lib: { entry: 'everything', formats: ['es'], fileName: 'lean' } },
  })
  const outputs = [result].flat().flatMap((built) => ('output' in built ? built.output : []))
  const [entry] = outputs.filter((output) => output.type === 'chunk')
  if (!entry) throw new Error('preact built to nothing')
  return import(`data:text/javascript,${encodeURIComponent(entry.code)}`)
}
