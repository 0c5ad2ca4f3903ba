// The two ways to the service. Each throws when the page forbids it outright, and returns what ends it.
type Fail = (status: number) => void
type Cancel = () => void

// XMLHttpRequest because pages patch `fetch` more often; a text body and no listeners on the upload, so that no preflight is
// needed; credentials because they select the connection the script came over. The service sets no cookie.
export function post(address: string, body: string, accept: (sessionId: string) => void, fail: Fail): Cancel {
  const request = new XMLHttpRequest()
  request.open('POST', address)
  request.withCredentials = true
  request.onloadend = () => {
    // The answer is the bare id. An error or a captive portal's page does not look like one.
    if (/^[\w-]{32}$/.test(request.responseText)) accept(request.responseText)
    else fail(request.status)
  }
  request.send(body)
  return () => request.abort()
}

/** The answer calls the page's marker itself, before the tag reports that it has loaded. */
export function addTag(address: string, nonce: string, fail: Fail): Cancel {
  const tag = document.createElement('script')
  tag.onload = tag.onerror = () => {
    tag.remove()
    fail(0)
  }
  tag.nonce = nonce
  tag.src = address
  document.head.appendChild(tag)
  return () => tag.remove()
}
