import { useFrame } from '../frame.ts'
import { LOCALES } from '../strings/locales.ts'

/** The languages the lender offers, each by its own name. Nothing typed is lost with a change. */
export function LanguageSwitch() {
  const { words, locales, chooseLocale } = useFrame()
  if (locales.length < 2) return null
  return (
    <fieldset class="languages" part="languages" aria-label={words('language')}>
      {locales.map((tag) => (
        <button
          type="button"
          class="link"
          part="link"
          lang={tag}
          aria-pressed={tag === words.locale}
          onClick={() => chooseLocale(tag)}
        >
          {LOCALES[tag].name}
        </button>
      ))}
    </fieldset>
  )
}
