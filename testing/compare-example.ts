// Test support: compares an example of the OpenAPI document with what the service answers. Ids, times, numbers and
// names may differ; fields, words such as `complete`, and sentences may not.

const WORD = /^[a-z]+(?:[-_][a-z]+)*$/
/** Three words or more, and not a name: one of the later words begins with a small letter. */
const SENTENCE = /^\S+(?: \S+)+ [a-z]|^\S+ [a-z]\S* \S/

/** The difference between the example and the most similar of the answers, as `path: what`. */
export function compareExample(example: unknown, answers: readonly unknown[]): string[] {
  const found = answers.map((answer) => differences(example, answer, ''))
  return found.toSorted((one, other) => one.length - other.length)[0] ?? ['there is no such answer']
}

function differences(example: unknown, answer: unknown, path: string): string[] {
  if (Array.isArray(example) && Array.isArray(answer)) {
    // Each entry is compared with the entry of the answer that is most like it.
    return example.flatMap((entry) => compareExample(entry, answer).map((line) => `${path}[]${line}`))
  }
  if (isObject(example) && isObject(answer)) {
    const names = new Set([...Object.keys(example), ...Object.keys(answer)])
    return [...names].flatMap((name) => {
      const inner = `${path}.${name}`
      if (!(name in answer)) return [`${inner}: the service does not send it`]
      if (!(name in example)) return [`${inner}: the example lacks it`]
      return name === 'id' ? [] : differences(example[name], answer[name], inner)
    })
  }
  return isSame(example, answer) ? [] : [`${path}: ${JSON.stringify(answer)}, not ${JSON.stringify(example)}`]
}

function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSame(example: unknown, answer: unknown): boolean {
  if (typeof example !== 'string' || typeof answer !== 'string') return typeof example === typeof answer
  if (SENTENCE.test(example) || SENTENCE.test(answer))
    return example.replace(/\d+/g, '0') === answer.replace(/\d+/g, '0')
  return !WORD.test(example) || !WORD.test(answer) || example === answer
}
