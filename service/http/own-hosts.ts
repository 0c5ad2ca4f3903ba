import { isLoopbackHost } from '../../kit/network.ts'

type Fetch = (request: Request, env?: object) => Promise<Response> | Response

/**
 * On a loopback address only names of this machine, and the one in PUBLIC_URL, are answered: a foreign page whose name
 * was made to resolve to loopback (DNS rebinding) would otherwise read, as its own origin, what only this machine may.
 */
export function refuseOtherHosts(fetch: Fetch, publicUrl: string): Fetch {
  const publicName = new URL(publicUrl).hostname
  return (request, env) => {
    const { hostname } = new URL(request.url)
    if (isLoopbackHost(hostname) || hostname === publicName) return fetch(request, env)
    const error = { code: 'forbidden', message: 'this service does not answer under that name; set PUBLIC_URL to it' }
    return Response.json(error, { status: 403 })
  }
}
