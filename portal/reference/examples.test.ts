// Each example of an answer in the OpenAPI document is what the service answers in a story that calls every operation.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareExample } from '../../testing/compare-example.ts'
import { playStory, type Story } from '../../testing/example-story.ts'
import { describeAll } from '../rows.ts'

type Content = { example?: unknown; examples?: { [name: string]: { value: unknown } } }
type Answer = { content?: { 'application/json'?: Content } }
type Operation = { operationId: string; responses: { [status: string]: Answer } }
const { paths, components } = describeAll() as unknown as {
  paths: { [path: string]: { [method: string]: Operation } }
  components: { responses: { [name: string]: Answer } }
}

function examplesOf({ content }: Answer): { name: string; example: unknown }[] {
  const { example, examples = {} } = content?.['application/json'] ?? {}
  const named = Object.entries(examples).map(([name, { value }]) => ({ name, example: value }))
  return example === undefined ? named : [{ name: 'example', example }]
}

const answers = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId, responses }]) =>
    Object.entries(responses).map(([status, answer]) => ({
      ...{ operationId, status, key: `${method} ${path} ${status}` },
      examples: examplesOf(answer),
    })),
  ),
)
const given = answers
  .filter(({ status }) => status.startsWith('2'))
  .flatMap(({ examples, ...answer }) => examples.map((each) => ({ ...answer, ...each })))
const shared = Object.values(components.responses).flatMap(examplesOf)
const own = answers.filter(({ status }) => status >= '4').flatMap(({ examples }) => examples)
const refused = new Set([...shared, ...own].map(({ example }) => JSON.stringify(example)))

let story: Story
beforeAll(async () => {
  story = await playStory(Object.keys(paths))
})
afterAll(() => story?.stop())

test('there are examples', () => {
  expect(given.length).toBeGreaterThan(45)
  expect(refused.size).toBeGreaterThan(15)
})

test.each(given)('$operationId answers $status as its $name says', ({ key, example }) => {
  expect(compareExample(example, story.answersTo(key))).toEqual([])
})

test.each([...refused])('%s is a refusal', (example) => {
  expect(compareExample(JSON.parse(example), story.refusals)).toEqual([])
})
