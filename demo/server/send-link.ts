// A check behind a link, as a lender's server sends it.
import type { MadeLink, NewLink } from '../../contract/link.ts'
import mark from '../shop/mark.png?inline'
import type { ServiceClient } from './service-client.ts'

const LOGO = Buffer.from(mark.slice(mark.indexOf(',') + 1), 'base64')

/** `origin`: the shop's, where the consumer comes back to. */
export function makeShopLink(service: ServiceClient, origin: string, link: NewLink = {}): Promise<MadeLink> {
  const look = {
    name: 'Wrenfield',
    accentColour: '#17402f',
    privacyUrl: `${origin}/privacy`,
    returnUrls: [`${origin}/`],
  }
  return service.makeLink({ ...link, returnUrl: `${origin}/` }, look, LOGO)
}
