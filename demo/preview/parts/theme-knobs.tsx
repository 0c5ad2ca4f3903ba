import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { contrastRatio } from '../contrast.ts'
import { change, settings } from '../state.ts'
import { COLOUR_TOKENS, hasEffect, PAIRS, TEXT_TOKENS, type TextToken, type Token } from '../tokens.ts'

export function ThemeKnobs(): JSX.Element {
  const { tokens } = settings.value
  const isChanged = Object.keys(tokens).length > 0
  // Decided once: what a person has opened does not close under their hands.
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
        {TEXT_TOKENS.map((token) => (
          <TextKnob token={token} value={tokens[token.name] ?? ''} />
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

function TextKnob({ token, value }: { token: TextToken; value: string }): JSX.Element {
  const { name, title, light, expected } = token
  const isIdle = value !== '' && !hasEffect(name, value)
  return (
    <div class="knob">
      <label for={name}>{title}</label>
      <input
        id={name}
        type="text"
        value={value}
        placeholder={light}
        spellcheck={false}
        aria-invalid={isIdle}
        aria-describedby={`${name}-trouble`}
        onInput={({ currentTarget }) => set(name, currentTarget.value)}
      />
      <small id={`${name}-trouble`} class="bad" role="status">
        {isIdle && `No effect: give ${expected}`}
      </small>
    </div>
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
