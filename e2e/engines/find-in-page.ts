// How a person finds things on a page, as scripts for a driver that has no notion of labels and roles. Open shadow roots are part
// of what people see. Each is the body of a function of one text; it returns the element, or null.

const WALK = `
  const text = arguments[0]
  const within = (root) => [...root.querySelectorAll('*')].flatMap((element) =>
    element.shadowRoot ? [element, ...within(element.shadowRoot)] : [element])
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
  const wordsOf = (element) => element.textContent.replace(/\\s+/g, ' ').trim()
  const visible = (selector) => within(document).filter((element) => element.matches(selector) && isSeen(element))
`

export const FIND_LABELLED = `${WALK}
  const label = visible('label').find((element) => wordsOf(element) === text)
  return label?.control ?? null`

export const FIND_BUTTON = `${WALK}
  return visible('button:enabled:not([aria-disabled="true"])').find((element) => wordsOf(element) === text) ?? null`

export const FIND_HEADING = `${WALK}
  return visible('h1, h2, h3, h4, h5, h6').find((element) => wordsOf(element) === text) ?? null`

/** The innermost element that says it. */
export const FIND_TEXT = `${WALK}
  return visible('*').findLast((element) => wordsOf(element).includes(text)) ?? null`
