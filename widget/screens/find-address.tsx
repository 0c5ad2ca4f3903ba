import type { ComponentChildren, Ref } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { FOUND_ADDRESSES_MAX } from '../../contract/limits.ts'
import { ADDRESS_FIELDS, addressLines, findPostcodeProblems, readPostcode } from '../fields/address.ts'
import { prefill } from '../fields/field.ts'
import type { Problem } from '../fields/problem.ts'
import { type InputName, readInput, type Typed } from '../fields/typed.ts'
import { describedBy, FormField, Help } from '../form/field.tsx'
import { Form, type Place, useInput } from '../form/form.tsx'
import { Link } from '../form/link.tsx'
import { type AddressLookup, useWords } from '../frame.ts'
import type { StringKey } from '../strings/en.ts'
import { enFindAddress } from '../strings/en-find-address.ts'
import { addEnglish, type Values } from '../strings/words.ts'

addEnglish(enFindAddress)

type Props = {
  title: StringKey
  place: Place
  /** Below the heading. */
  lead: ComponentChildren
  /** After what leads to typing it in. */
  after: ComponentChildren
  lookup: AddressLookup
  /** The address as far as it is known. */
  known: Typed
  /** The list that was found stays while the consumer looks at one address. */
  found: Typed[] | null
  onFound: (found: Typed[] | null) => void
  /** True where it matters when they moved in. */
  asksMoved: boolean
  /** Problems of the address that was chosen. */
  problems: readonly Problem[]
  recheck: (typed: Typed) => Problem[]
  /** Another postcode: what was wrong before is not wrong with what will be found. */
  onSearch: () => void
  onBack: (typed: Typed) => void
  onType: (typed: Typed) => void
  onChoose: (typed: Typed) => void
}

const LOOKUP_TIMEOUT_MS = 8_000
/** The value of the option for an address that is not in the list. */
const NONE = 'none'

/**
 * Postcode, then a list to choose from. Whatever goes wrong here leads to typing the address in, never to a dead end.
 */
export function FindAddress(props: Props) {
  const { title, place, lead, after, lookup, known, found, onFound, asksMoved, recheck } = props
  const { onSearch, onBack, onType, onChoose } = props
  const words = useWords()
  const [typed, setTyped] = useState(known)
  const [problems, setProblems] = useState<Problem[]>([])
  // By its key, so that it follows a change of language.
  const [status, setStatus] = useState<{ words: StringKey; values?: Values } | null>(null)
  const underWay = useRef<AbortController | null>(null)
  useEffect(() => () => underWay.current?.abort(), [])
  const list = useRef<HTMLSelectElement>(null)
  const listed = useRef(found)
  useEffect(() => {
    // The next thing to do comes before the button that was pressed.
    if (found !== listed.current) list.current?.focus()
    listed.current = found
  }, [found])
  const homes = found ?? []
  const hasFound = homes.length > 0

  const find = async (postcode: string) => {
    underWay.current?.abort()
    const controller = new AbortController()
    underWay.current = controller
    const timer = setTimeout(() => controller.abort(), LOOKUP_TIMEOUT_MS)
    setStatus({ words: 'finding' })
    const late = new Promise<null>((resolve) => controller.signal.addEventListener('abort', () => resolve(null)))
    // Wrapped, because an adapter may also throw at once.
    const search = async () => lookup(postcode, controller.signal)
    const results = await Promise.race([search().catch(() => null), late])
    clearTimeout(timer)
    if (underWay.current !== controller) return
    if (!Array.isArray(results)) {
      setStatus({ words: 'lookupDown' })
      return
    }
    const addresses = results
      .filter(Boolean)
      .slice(0, FOUND_ADDRESSES_MAX)
      .map((address) => prefill(ADDRESS_FIELDS, { ...address, postcode: address.postcode || postcode }))
    onFound(addresses)
    const n = addresses.length
    setStatus(n > 0 ? { words: 'addressesFound', values: { n } } : { words: 'lookupEmpty', values: { postcode } })
  }

  /** The address that was chosen, with when they moved in. */
  const readChosen = ({ choice = '', movedMonth = '', movedYear = '' }: Typed): Typed | undefined => {
    const home = homes[Number(choice || NONE)]
    return home && { ...home, movedMonth, movedYear }
  }

  const onSubmit = (now: Typed) => {
    setTyped(hasFound ? now : { ...known, ...now })
    if (!hasFound) {
      const wrong = findPostcodeProblems(now)
      setProblems(wrong)
      if (wrong.length === 0) void find(readPostcode(now))
      return
    }
    const chosen = readChosen(now)
    const { choice, ...others } = now
    const moved = asksMoved ? recheck(now).filter(({ field }) => field === 'moved') : []
    setProblems(choice ? [] : [{ field: 'choice', words: 'pickMissing' }, ...moved])
    if (chosen) onChoose(chosen)
    else if (choice) onType(others)
  }

  return (
    <Form
      title={words(title)}
      place={place}
      typed={typed}
      problems={problems.length > 0 ? problems : props.problems}
      recheck={(now) => (readChosen(now) ? recheck({ ...now, ...readChosen(now) }) : problems)}
      submit={hasFound ? 'continue' : 'findAddress'}
      onSubmit={onSubmit}
      onBack={onBack}
      after={
        <>
          <Link onClick={() => onType({ ...known, postcode: readInput(typed, 'postcode') })}>
            {words('typeAddress')}
          </Link>
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
            setTyped({ ...typed, postcode: currentTarget.value })
            onFound(null)
            setStatus(null)
            setProblems([])
            onSearch()
            // An answer that is still on its way is about another postcode.
            underWay.current?.abort()
            underWay.current = null
          },
        }}
      />
      <p class={hasFound ? 'unseen' : 'suggestion'} role="status">
        {status && words(status.words, status.values)}
      </p>
      {/* Room for what will be found: the answer may come when the press is long forgotten. */}
      {status?.words === 'finding' && <div class={asksMoved ? 'room tall' : 'room'} />}
      {hasFound && (
        <SelectField name="choice" label="pickAddress" select={list}>
          {homes.length > 1 && <option value="">{words('addressesFound', { n: homes.length })}</option>}
          {homes.map((address, index) => (
            <option value={index} selected={typed.choice === String(index)}>
              {addressLines({ ...address, postcode: '' }).join(', ')}
            </option>
          ))}
          <option value={NONE}>{words('noneOfThese')}</option>
        </SelectField>
      )}
      {hasFound && asksMoved && <FormField name="moved" field={ADDRESS_FIELDS.moved} />}
    </Form>
  )
}

type SelectFieldProps = {
  name: InputName
  label: StringKey
  select: Ref<HTMLSelectElement>
  /** Its options. */
  children: ComponentChildren
}

/** A list to choose one from. The browser's own: its keys, its way of being read, and on a phone its wheel. */
function SelectField({ name, label, select, children }: SelectFieldProps) {
  const { problem } = useInput(name)
  return (
    <div class="field">
      <label for={name} part="label">
        {useWords()(label)}
      </label>
      <Help id={name} hint={undefined} problem={problem} />
      <select
        id={name}
        name={name}
        class="input"
        part="input"
        ref={select}
        aria-describedby={describedBy(name, undefined, problem && name)}
        aria-invalid={problem ? 'true' : undefined}
      >
        {children}
      </select>
    </div>
  )
}
