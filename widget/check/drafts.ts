// Keeps what the consumer has typed with the lender's server, which seals it for this tab: after each step, and when
// the page is hidden or left. Never on a key.
import type { ReadonlySignal } from '@preact/signals'
import type { Draft } from '../../contract/tenant-proxy.ts'
import { isBlank, keysOf, type Typed } from '../fields/typed.ts'
import { type Flow, withPerson } from '../flow/flow.ts'
import { aboutOf, withAddress } from '../flow/form-steps.ts'
import { readForm } from '../form/form.tsx'
import { randomKey } from './idempotency.ts'

/** A check waits this long at most for its details to be kept. */
const SAVE_WAIT_MS = 3_000

type DraftsOptions = {
  flow: ReadonlySignal<Flow>
  save: (draft: Draft | null) => Promise<boolean>
  signal: AbortSignal
}

export type Drafts = ReturnType<typeof createDrafts>

export function createDrafts({ flow, save, signal }: DraftsOptions) {
  /** The draft as the server has it, without its id; empty for nothing, null when that is not known. */
  let kept: string | null = ''
  let id = ''
  let saving = Promise.resolve()
  let isOn = false

  function keep(typed: Typed = {}): void {
    const { name } = flow.value.screen
    if (isOn && (name === 'details' || name === 'address' || name === 'answers')) put(contentOf(flow.value, typed))
  }

  function put(content: Content | null): void {
    const json = content ? JSON.stringify(content) : ''
    if (json === kept) return
    kept = json
    id = randomKey()
    saving = save(content && { id, ...content }).then((isSaved) => {
      if (!isSaved && kept === json) kept = null
    })
  }

  return {
    /** From now on. `draft`: what the server had, whether or not it was shown. */
    begin(draft: Draft | null): void {
      if (isOn) return
      isOn = true
      if (draft) {
        const { id: keptAs, ...content } = draft
        kept = JSON.stringify(content)
        id = keptAs
      }
      signal.addEventListener(
        'abort',
        flow.subscribe(() => keep()),
      )
    },
    /**
     * Resolves to the id of exactly these answers, once the server has had time to keep them; no other draft has it.
     */
    async secure(): Promise<string> {
      if (!isOn) return ''
      put(contentOf(flow.value, {}))
      await Promise.race([saving, new Promise((resolve) => setTimeout(resolve, SAVE_WAIT_MS))])
      return id
    },
    keepTyped(root: ShadowRoot, gone: AbortSignal): void {
      const keepForm = () => {
        const form = root.querySelector('form')
        if (form) keep(readForm(form))
      }
      const keepHidden = () => document.visibilityState === 'hidden' && keepForm()
      document.addEventListener('visibilitychange', keepHidden, { signal: gone })
      window.addEventListener('pagehide', keepForm, { signal: gone })
    },
  }
}

type Content = Omit<Draft, 'id'>

/** Null when there is nothing but what the lender knows. */
function contentOf(before: Flow, { choice: _, consent: _consent, ...typed }: Typed): Content | null {
  const { screen } = before
  const at = screen.name === 'address' ? screen.index : 0
  const isPerson = screen.name === 'details'
  const earlier = isPerson ? before.answers.person : (before.answers.addresses[at] ?? {})
  const isSame = keysOf(typed).every((name) => (typed[name] ?? '') === (earlier[name] ?? ''))
  const flow =
    isSame || (!isPerson && isBlank(typed))
      ? before
      : isPerson
        ? withPerson(before, typed)
        : withAddress(before, at, { ...earlier, ...typed })
  if (flow.answers === flow.known) return null
  const { person, addresses, abroadBefore } = flow.answers
  const step = isPerson || screen.name === 'address' ? screen.name : 'answers'
  return { step, index: at, person, addresses, abroadBefore, about: aboutOf(flow.known.person) }
}
