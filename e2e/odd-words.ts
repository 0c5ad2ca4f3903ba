import type { Locator } from '@playwright/test'

/** Words that a person should never read: an unfilled gap, or a value that got lost on the way to the page. */
export function findOddWords(widget: Locator): Promise<string[]> {
  return widget.evaluate((element) => {
    const parts = [...(element.shadowRoot?.querySelectorAll('*') ?? [])]
    const spoken = parts.flatMap((part) => [part.getAttribute('aria-label'), part.getAttribute('title')])
    const words = [element.shadowRoot?.textContent, ...spoken].join('\n')
    return words.match(/.{0,20}(\{\w*\}|\bundefined\b|\bnull\b|\bNaN\b|\[object).{0,20}/g) ?? []
  })
}

/** English in what is said in Welsh, with what stands around it. */
export async function findEnglish(widget: Locator): Promise<string[]> {
  const words = await widget.evaluate((element) => element.shadowRoot?.textContent ?? '')
  return words.match(/.{0,20}\b(the|your|you|with|from|this|what)\b.{0,20}/gi) ?? []
}
