/** As much of `Headers` as is needed to read a request. */
export type HeaderReader = Pick<Headers, 'get'>

export type Encoding = 'br' | 'gzip' | 'identity'

/** Browsers send under a hundred characters; the rest of a longer header is not read. */
const LENGTH_MAX = 1_000

/**
 * The best encoding an `Accept-Encoding` header allows. Split at single characters only: its cost is linear in the
 * header.
 */
export function chooseEncoding(acceptEncoding: string | null | undefined): Encoding {
  const accepted = (acceptEncoding ?? '').slice(0, LENGTH_MAX).toLowerCase().split(',').map(readOffer)
  const isAccepted = (name: Encoding) => accepted.some((offer) => offer.name === name && offer.quality > 0)
  if (isAccepted('br')) return 'br'
  return isAccepted('gzip') ? 'gzip' : 'identity'
}

function readOffer(offer: string): { name: string; quality: number } {
  const [name = '', ...parameters] = offer.split(';')
  const quality = parameters.map((parameter) => parameter.split('=')).find(([key]) => key?.trim() === 'q')?.[1]
  return { name: name.trim(), quality: quality === undefined ? 1 : Number(quality) }
}

/** True when the caller has this version already: `If-None-Match` compares weakly (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string | null | undefined, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((each) => each.trim())
  return known.some((each) => each === '*' || each.replace(/^W\//, '') === etag)
}
