import { ApiError, validationError } from '../../service/http/api-error.ts'
import { readBody } from '../../service/http/read-body.ts'

const FORM = 'application/x-www-form-urlencoded'
const FORM_BYTES_MAX = 8_192
const FILE_FORM = 'multipart/form-data'
/** More than any file may have, so that the page can say which is too large. */
const FILE_FORM_BYTES_MAX = 1_000_000

/** A body can be read once; a guard and its page both read the form. */
const forms = new WeakMap<Request, Promise<URLSearchParams>>()

/** The fields of a form on one of our pages; with `files` also one with files, which are read as base64. */
export function readForm(request: Request, { files = false } = {}): Promise<URLSearchParams> {
  const form = forms.get(request) ?? read(request, files)
  forms.set(request, form)
  return form
}

async function read(request: Request, files: boolean): Promise<URLSearchParams> {
  const contentType = request.headers.get('Content-Type') ?? ''
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase()
  const hasFiles = files && mediaType === FILE_FORM
  if (mediaType !== FORM && !hasFiles) throw new ApiError('unsupported-media-type', `send the form as ${FORM}`)
  const form = hasFiles
    ? await readFiles(await readBody(request, FILE_FORM_BYTES_MAX), contentType)
    : new URLSearchParams(new TextDecoder().decode(await readBody(request, FORM_BYTES_MAX)))
  // No browser sends NUL, and PostgreSQL refuses it in a parameter.
  for (const [name, value] of form) {
    if (value.includes('\0')) throw validationError([{ path: name, expected: 'must not contain NUL' }])
  }
  return form
}

async function readFiles(body: Uint8Array, contentType: string): Promise<URLSearchParams> {
  const sent = new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } })
  const data = await sent.formData().catch(() => {
    throw validationError([{ path: '', expected: 'must be a form' }])
  })
  const form = new URLSearchParams()
  for (const [name, value] of data) {
    const text = typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()).toString('base64')
    form.append(name, text)
  }
  return form
}
