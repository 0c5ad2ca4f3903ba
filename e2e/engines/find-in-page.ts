// Finds things on a page as a person does, as scripts for a driver that has no notion of labels and roles. Open shadow
// roots are part of what people see. Each is the body of a function of one text; it returns the element, or null.

const WALK = `
  const text = arguments[0]
  const within = (root) => [...root.querySelectorAll('*')].flatMap((element) =>
    element.shadowRoot ? [element, ...within(element.shadowRoot)] : [element])
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
  const wordsOf = (element) => element.textContent.replace(/\\s+/g, ' ').trim()
  const labelled = () => visible('label').find((element) => wordsOf(element).replace(' (optional)', '') === text.replace(' (optional)', ''))?.control
  const visible = (selector) => within(document).filter((element) => element.matches(selector) && isSeen(element))
`

export const FIND_LABELLED = `${WALK}
  return labelled() ?? null`

export const FIND_SUMMARY = `${WALK}
  return visible('summary').find((element) => wordsOf(element).includes(text)) ?? null`

export const FIND_OPTION = `${WALK}
  return within(document).find((element) => element.matches('option') && wordsOf(element) === text) ?? null`

/** The descriptions of an input beside its label: hints and errors. */
export const READ_DESCRIPTION = `${WALK}
  const input = labelled()
  const ids = input?.getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => wordsOf(input.getRootNode().getElementById(id) ?? input)).join(' ')`

export const READ_VALUE = `${WALK}
  return labelled()?.value ?? null`

/** The number of innermost elements with this text. */
export const COUNT_TEXT = `${WALK}
  const says = (element) => wordsOf(element).includes(text)
  return visible('*').filter((element) => says(element) && ![...element.children].some(says)).length`

export const FIND_BUTTON = `${WALK}
  return visible('button:enabled:not([aria-disabled="true"])').find((element) => wordsOf(element) === text) ?? null`

export const FIND_HEADING = `${WALK}
  return visible('h1, h2, h3, h4, h5, h6').find((element) => wordsOf(element) === text) ?? null`

/** The innermost element that says it. */
export const FIND_TEXT = `${WALK}
  return visible('*').findLast((element) => wordsOf(element).includes(text)) ?? null`
