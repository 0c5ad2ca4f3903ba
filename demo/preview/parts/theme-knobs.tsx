import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { contrastRatio } from '../contrast.ts'
import { change, settings } from '../state.ts'
import { COLOUR_TOKENS, OTHER_TOKENS, PAIRS, type Token } from '../tokens.ts'

export function ThemeKnobs(): JSX.Element {
  const { tokens } = settings.value
  const isChanged = Object.keys(tokens).length > 0
  // Decided once: what somebody has opened does not close under their hands.
  const [isOpen] = useState(isChanged)
  return (
    <section class="knobs" aria-labelledby="theme-title">
      <details open={isOpen}>
        <summary>
          <h2 id="theme-title">Theme tokens</h2> {isChanged && <small>{Object.keys(tokens).length} changed</small>}
        </summary>
        <div class="colours">
          {COLOUR_TOKENS.map((token) => (
            <label class="colour">
              <input
                type="color"
                value={tokenValue(token)}
                onInput={({ currentTarget }) => set(token.name, currentTarget.value)}
              />
              <span>{token.title}</span>
            </label>
          ))}
        </div>
        {OTHER_TOKENS.map((token) => (
          <label class="knob">
            <span>{token.title}</span>
            <input
              type="text"
              value={tokens[token.name] ?? ''}
              placeholder={token.light}
              spellcheck={false}
              onInput={({ currentTarget }) => set(token.name, currentTarget.value)}
            />
          </label>
        ))}
        <Contrast />
        {isChanged && (
          <button type="button" class="small" onClick={() => change({ tokens: {} })}>
            Back to the widget’s own
          </button>
        )}
      </details>
    </section>
  )
}

function Contrast(): JSX.Element {
  return (
    <table class="contrast">
      <caption>Contrast</caption>
      <tbody>
        {PAIRS.map(({ title, front, back, ratioMin }) => {
          const ratio = contrastRatio(colourOf(front), colourOf(back))
          const passes = ratio !== null && ratio >= ratioMin
          return (
            <tr>
              <th scope="row">{title}</th>
              <td class={passes ? 'good' : 'bad'}>
                {ratio?.toFixed(2) ?? '?'} {passes ? '✓' : `under ${ratioMin}`}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const darkly = window.matchMedia('(prefers-color-scheme: dark)')

function tokenValue(token: Token): string {
  const { tokens, theme } = settings.value
  const isDark = theme === 'dark' || (theme === 'auto' && darkly.matches)
  return tokens[token.name] ?? (isDark ? token.dark : token.light)
}

function colourOf(name: string): string {
  const token = COLOUR_TOKENS.find((each) => each.name === name)
  return token ? tokenValue(token) : ''
}

function set(name: string, value: string): void {
  const { [name]: _, ...others } = settings.value.tokens
  change({ tokens: value ? { ...others, [name]: value } : others })
}
