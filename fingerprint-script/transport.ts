// The two ways to the service. Both throw when the page forbids them outright.

// XMLHttpRequest because pages patch `fetch` more often; a text body and no listeners on the upload, so that no preflight is
// needed; credentials because they select the connection the script came over. The service sets no cookie.
export function post(
  address: string,
  body: string,
  limitMs: number,
  accept: (sessionId: string) => void,
  fail: (status: number) => void,
): void {
  const request = new XMLHttpRequest()
  request.open('POST', address)
  request.withCredentials = true
  request.timeout = limitMs
  request.onloadend = () => {
    // The answer is the bare id. An error or a captive portal's page does not look like one.
    if (/^[\w-]{32}$/.test(request.responseText)) accept(request.responseText)
    else fail(request.status)
  }
  request.send(body)
}

/** The answer calls the page's marker itself; whether it did is for the caller to know. */
export function addTag(address: string, nonce: string, fail: (status: number) => void): void {
  const tag = document.createElement('script')
  tag.onload = tag.onerror = () => {
    tag.remove()
    fail(0)
  }
  tag.nonce = nonce
  tag.src = address
  document.head.appendChild(tag)
}
