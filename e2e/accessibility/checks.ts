// Faults of a screen. Each check gives a list of faults, empty when there are none.
import type { Page } from '@playwright/test'

const TARGET_SIDE_MIN_PX = 24
/** WCAG 1.4.11, for what has to be seen to be used. */
const EDGE_CONTRAST_MIN = 3

/** Elements that overflow the page. */
export function findTooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.querySelector('credit-report-widget')?.shadowRoot
    const wide = [...(root?.querySelectorAll<HTMLElement>('.panel *:not(svg *)') ?? [])].filter(
      (element) => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('.unseen'),
    )
    const page = document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : []
    return [...page, ...wide.map((element) => `${element.tagName}.${element.className}`)]
  })
}

/** Targets that are too small to press. A link within a sentence has to be as high as its line, and is exempt. */
export function findTooSmall(page: Page): Promise<string[]> {
  return page.evaluate((sideMin) => {
    const root = document.querySelector('credit-report-widget')?.shadowRoot
    const targets = [...(root?.querySelectorAll<HTMLElement>('a, button, input, select, summary') ?? [])]
    return (
      targets
        .filter((target) => target.checkVisibility() && !isInSentence(target))
        .map((target) => ({ target, box: target.getBoundingClientRect() }))
        // Boxes are floats: 23.999998 is 24.
        .filter(({ box }) => Math.min(box.width, box.height) < sideMin - 0.01)
        .map(({ target, box }) => `${target.tagName} ${target.textContent || target.id} ${box.width}×${box.height}`)
    )

    function isInSentence(target: HTMLElement): boolean {
      const sentence = target.parentElement?.textContent?.trim() ?? ''
      return getComputedStyle(target).display === 'inline' && sentence.length > (target.textContent?.length ?? 0)
    }
  }, TARGET_SIDE_MIN_PX)
}

/** Elements that move. */
export function findMoving(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.querySelector('credit-report-widget')?.shadowRoot
    return (root?.getAnimations() ?? []).map(({ effect }) =>
      effect instanceof KeyframeEffect ? String(effect.target?.className) : 'something',
    )
  })
}

/**
 * Controls whose edge cannot be seen against what is around them, which axe does not look at: an input and a secondary
 * button by their border, a primary button by its surface or its border, a link by its text.
 */
export function findFaint(page: Page): Promise<string[]> {
  return page.evaluate((contrastMin) => {
    const root = document.querySelector('credit-report-widget')?.shadowRoot
    const controls = [...(root?.querySelectorAll<HTMLElement>('a, button, input[type=text], .bar .done') ?? [])]
    return controls
      .filter((control) => control.checkVisibility() && control.getAttribute('aria-disabled') !== 'true')
      .map((control) => {
        const { backgroundColor, borderBlockEndColor, borderBlockEndWidth, color } = getComputedStyle(control)
        const around = surfaceBehind(control.parentElement)
        const edges = [backgroundColor]
        if (Number.parseFloat(borderBlockEndWidth) > 0) edges.push(borderBlockEndColor)
        if (control.matches('a, .link, .back, .report button')) edges.push(color)
        const best = Math.max(...edges.map((edge) => contrast(read(edge), around)))
        return { name: control.textContent || control.id || control.className, best }
      })
      .filter(({ best }) => best < contrastMin)
      .map(({ name, best }) => `${name}: ${best.toFixed(2)}`)

    type Colour = { channels: number[]; alpha: number }
    function read(colour: string): Colour {
      const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number)
      return { channels: [red, green, blue], alpha }
    }
    function surfaceBehind(element: Element | null): Colour {
      for (let at = element; at; at = at.parentElement) {
        const surface = read(getComputedStyle(at).backgroundColor)
        if (surface.alpha > 0) return surface
      }
      return read('rgb(255, 255, 255)')
    }
    function contrast(one: Colour, other: Colour): number {
      if (one.alpha === 0) return 1
      const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
      return (light + 0.05) / (dark + 0.05)
    }
    function luminance({ channels }: Colour): number {
      const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
        const share = channel / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
  }, EDGE_CONTRAST_MIN)
}
