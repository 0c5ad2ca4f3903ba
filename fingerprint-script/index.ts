// The script behind `GET /v1/fingerprints/device`. It starts itself, asks the service for a session and gives the page
// its id.
import { keepSession } from './session.ts'
import type { MarkedDocument } from './state.ts'

/** The service writes its own public address here when it serves the file. */
const SERVED_AS = '%SERVED_AS%'

const earlier = (document as MarkedDocument).__deviceFingerprint
if (typeof earlier === 'function') {
  // A second copy adds nothing but another chance.
  earlier()
} else {
  // An image or a form called `currentScript` takes the place of the real one.
  const current = document.currentScript
  const tag = current instanceof HTMLScriptElement ? current : document.createElement('script')
  // `…/device@hash?query` is a copy of `…/device`.
  const address = (tag.src || SERVED_AS).replace(/(@[^/]*)?([?#].*)?$/, '')
  keepSession(address, tag.nonce || '', tag.getAttribute('data-start') === 'touch')
}
