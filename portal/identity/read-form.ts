import { ApiError, validationError } from '../../service/http/api-error.ts'
import { readBody } from '../../service/http/read-body.ts'

const FORM = 'application/x-www-form-urlencoded'
const FORM_BYTES_MAX = 8_192

/** A body can be read once; a guard and its page both read the form. */
const forms = new WeakMap<Request, Promise<URLSearchParams>>()

/** What a form on one of our pages sends. */
export function readForm(request: Request): Promise<URLSearchParams> {
  const form = forms.get(request) ?? read(request)
  forms.set(request, form)
  return form
}

async function read(request: Request): Promise<URLSearchParams> {
  const mediaType = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  if (mediaType !== FORM) throw new ApiError('unsupported-media-type', `send the form as ${FORM}`)
  const form = new URLSearchParams(new TextDecoder().decode(await readBody(request, FORM_BYTES_MAX)))
  // No browser sends NUL, and PostgreSQL refuses it in a parameter.
  for (const [name, value] of form) {
    if (value.includes('\0')) throw validationError([{ path: name, expected: 'must not contain NUL' }])
  }
  return form
}
