import type { Rows } from '../../openapi/operation.ts'

const tag = 'Devices'
const script = { type: 'text/javascript', schema: { type: 'string' } }
const SCRIPT_HEADERS = ['ETag', 'Content-Location', 'X-Integrity', 'Access-Control-Allow-Origin']
const etag = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of the copy that the browser has.',
  schema: { type: 'string' },
  example: '"Zk3pQ9mX2vB7tR1s-br"',
} as const

export const deviceRows = {
  operations: {
    getFingerprintScript: {
      route: 'GET /v1/fingerprints/device',
      rule: { who: 'anyone' },
      tag,
      summary: 'The fingerprint script',
      description: 'Calls `window.service.deviceFingerprint({ sessionId })` once the service knows the device.',
      parameters: [
        {
          name: 'm',
          in: 'query',
          description:
            'Used by the script itself on pages that forbid its request: `1` answers with a script that carries a new session id.',
          schema: { type: 'string', enum: ['1'] },
          example: '1',
        },
        etag,
      ],
      answers: {
        200: { says: 'The script.', ...script, headers: SCRIPT_HEADERS },
        304: { says: 'The copy that the browser has is the newest.', headers: SCRIPT_HEADERS },
      },
      errors: ['rate-limited'],
    },
    getPinnedFingerprintScript: {
      route: 'GET /v1/fingerprints/:pinned{device@[A-Za-z0-9_-]{16}}',
      rule: { who: 'anyone' },
      tag,
      summary: 'One version of the fingerprint script, for good',
      description: 'The same bytes for ever, for pages that name their `integrity`.',
      parameters: [
        {
          name: 'hash',
          in: 'path',
          required: true,
          description: 'From the `Content-Location` of the script.',
          schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{16}$' },
          example: 'Zk3pQ9mX2vB7tR1s',
        },
        etag,
      ],
      answers: {
        200: { says: 'The script.', ...script, headers: SCRIPT_HEADERS },
        304: { says: 'The browser has it.', headers: SCRIPT_HEADERS },
      },
      errors: ['not-found'],
    },
    openDeviceSession: {
      route: 'POST /v1/fingerprints/device/sessions',
      rule: { who: 'anyone' },
      tag,
      summary: 'The endpoint of the fingerprint script',
      description: 'Called by the script, from any page. Signals that are not known are dropped.',
      body: {
        type: 'text/plain',
        required: false,
        example: 'screen=390%2C844%2C24%2C3&languages=en-GB%2Ccy&touch=5&cores=8',
      },
      answers: {
        200: {
          says: 'The session id.',
          type: 'text/plain',
          schema: { type: 'string' },
          examples: () => ({ session: 'wY1nXq0m3mT3hZlqC7m8cAx4uPq9LrB2' }),
          headers: ['Access-Control-Allow-Origin'],
        },
      },
      errors: ['payload-too-large', 'unsupported-media-type', 'rate-limited'],
    },
    preflightDeviceSession: {
      route: 'OPTIONS /v1/fingerprints/device/sessions',
      rule: { who: 'anyone' },
      tag,
      summary: 'Preflight for pages of other origins',
      description:
        'The script needs no preflight; tools that add a header to every request of a page make one necessary.',
      answers: { 204: { says: 'Any page may report.', headers: ['Access-Control-Allow-Origin'] } },
    },
  },
} satisfies Rows
