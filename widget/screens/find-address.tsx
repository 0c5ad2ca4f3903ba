import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { ADDRESS_FIELDS, addressLines, findPostcodeProblems, readPostcode } from '../fields/address.ts'
import { prefill } from '../fields/field.ts'
import type { Problem } from '../fields/problem.ts'
import { type Typed, textOf } from '../fields/typed.ts'
import { FormField, Group } from '../form/field.tsx'
import { Form } from '../form/form.tsx'
import { type AddressLookup, useWords } from '../frame.ts'
import type { StringKey } from '../strings/en.ts'
import { enFindAddress } from '../strings/en-find-address.ts'
import { addEnglish, type Values } from '../strings/words.ts'

addEnglish(enFindAddress)

type Props = {
  title: StringKey
  /** Below the heading. */
  lead: ComponentChildren
  /** After what leads to typing it in. */
  after: ComponentChildren
  lookup: AddressLookup
  /** The address as far as it is known. */
  known: Typed
  /** What was found stays while the consumer looks at one of them. */
  found: Signal<Typed[] | null>
  onBack: (typed: Typed) => void
  onFound: (typed: Typed) => void
}

const LOOKUP_TIMEOUT_MS = 8_000
const RESULTS_MAX = 100

/** Postcode, then a list to choose from. Whatever goes wrong here leads to typing the address in, never to a dead end. */
export function FindAddress({ title, lead, after, lookup, known, found, onBack, onFound }: Props): JSX.Element {
  const words = useWords()
  const typed = useSignal(known)
  const problems = useSignal<Problem[]>([])
  // By its key, so that it follows a change of language.
  const status = useSignal<{ words: StringKey; values?: Values } | null>(null)
  const underWay = useRef<AbortController | null>(null)
  useEffect(() => () => underWay.current?.abort(), [])

  const find = async (postcode: string) => {
    underWay.current?.abort()
    const controller = new AbortController()
    underWay.current = controller
    const timer = setTimeout(() => controller.abort(), LOOKUP_TIMEOUT_MS)
    status.value = { words: 'finding' }
    const late = new Promise<null>((resolve) => controller.signal.addEventListener('abort', () => resolve(null)))
    // Wrapped, because an adapter may also throw at once.
    const search = async () => lookup(postcode, controller.signal)
    const results = await Promise.race([search().catch(() => null), late])
    clearTimeout(timer)
    if (underWay.current !== controller) return
    if (!Array.isArray(results)) {
      status.value = { words: 'lookupDown' }
      return
    }
    found.value = results
      .filter(Boolean)
      .slice(0, RESULTS_MAX)
      .map((address) => prefill(ADDRESS_FIELDS, { ...address, postcode: address.postcode ?? postcode }))
    const n = found.value.length
    status.value = n > 0 ? { words: 'addressesFound', values: { n } } : { words: 'lookupEmpty', values: { postcode } }
  }

  const onSubmit = (now: Typed) => {
    typed.value = now
    if (found.value?.length) {
      const choice = textOf(now, 'choice')
      if (!choice) problems.value = [{ field: 'choice', focus: 'choice-0', words: 'pickMissing' }]
      else onFound(found.value[Number(choice)] ?? { postcode: textOf(now, 'postcode') })
      return
    }
    problems.value = findPostcodeProblems(now)
    if (problems.value.length === 0) void find(readPostcode(now))
  }

  return (
    <Form
      title={words(title)}
      step={2}
      typed={typed.value}
      problems={problems.value}
      submit={found.value?.length ? 'continue' : 'findAddress'}
      onSubmit={onSubmit}
      onBack={onBack}
      after={
        <>
          <button
            type="button"
            class="link"
            part="link"
            onClick={() => onFound({ ...known, postcode: textOf(typed.value, 'postcode') })}
          >
            {words('typeAddress')}
          </button>
          <div>{after}</div>
        </>
      }
    >
      {lead}
      <FormField
        name="postcode"
        field={ADDRESS_FIELDS.postcode}
        input={{
          onInput: ({ currentTarget }) => {
            typed.value = { postcode: currentTarget.value }
            found.value = null
            status.value = null
            // An answer that is still on its way is about another postcode.
            underWay.current?.abort()
            underWay.current = null
          },
        }}
      />
      <p class="suggestion" role="status">
        {status.value && words(status.value.words, status.value.values)}
      </p>
      {found.value && found.value.length > 0 && (
        <Group name="choice" legend="pickAddress">
          <div class="choices">
            {found.value.map((address, index) => (
              <Choice value={String(index)} label={addressLines(address).join(', ')} />
            ))}
            <Choice value="none" label={words('noneOfThese')} />
          </div>
        </Group>
      )}
    </Form>
  )
}

function Choice({ value, label }: { value: string; label: string }): JSX.Element {
  return (
    <label class="choice">
      <input type="radio" name="choice" id={`choice-${value}`} value={value} />
      <span>{label}</span>
    </label>
  )
}
