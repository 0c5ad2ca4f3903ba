import { expect, test } from 'vitest'
import { openApiRoute } from './openapi-route.ts'

test('the document is served as it is in the repository', async () => {
  const response = await openApiRoute().request('/openapi.json')
  expect(response.headers.get('Content-Type')).toBe('application/json')
  expect((await response.json()).openapi).toBe('3.1.0')
})
