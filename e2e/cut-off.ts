import type { ServerResponse } from 'node:http'

/**
 * Breaks the connection in the middle of an answer: before any of it has come, a browser repeats the request by itself.
 */
export function cutOff(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
  response.write('{', () => response.destroy())
}
