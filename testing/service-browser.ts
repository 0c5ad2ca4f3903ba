// Test support: a browser that keeps cookies and follows redirects, and speaks to an app without a network.

export type TestBrowser = ReturnType<typeof createTestBrowser>

export type Fetch = (request: Request) => Promise<Response> | Response
type Init = { method?: string; form?: { [name: string]: string }; headers?: { [name: string]: string } }

const REDIRECTS_MAX = 10

/** The id that each form of the console carries: of the first on the page. */
export function pressIn(page: string): string {
  return /name="press" value="([^"]+)"/.exec(page)?.[1] ?? ''
}

export function createTestBrowser(fetch: Fetch, origin: string) {
  // By name; those of a narrower path by name and path, since they live side by side.
  const jar = new Map<string, { name: string; value: string; path: string }>()
  const visited: string[] = []
  const setCookies: string[] = []

  /** One request, no redirect followed. */
  async function ask(path: string, { method, form: typed, headers = {} }: Init = {}): Promise<Response> {
    const url = new URL(path, origin)
    const isOfConsole = typed !== undefined && url.pathname.startsWith('/console')
    const form = isOfConsole ? { press: typed.press ?? (await newPress()), ...typed } : typed
    const cookie = [...jar]
      .filter(([, { path: under }]) => url.pathname === under || under === '/' || url.pathname.startsWith(`${under}/`))
      .map(([, { name, value }]) => `${name}=${value}`)
      .join('; ')
    const response = await fetch(
      new Request(url, {
        method: method ?? (form ? 'POST' : 'GET'),
        ...(form ? { body: new URLSearchParams(form).toString() } : {}),
        headers: {
          Accept: 'text/html',
          ...(cookie ? { Cookie: cookie } : {}),
          ...(form ? { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin } : {}),
          ...headers,
        },
      }),
    )
    for (const line of response.headers.getSetCookie()) {
      setCookies.push(line)
      const [pair = '', ...attributes] = line.split(/; */)
      const name = pair.slice(0, pair.indexOf('='))
      const value = pair.slice(pair.indexOf('=') + 1)
      const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? '/'
      const key = path === '/' ? name : `${name} ${path}`
      if (value === '' || attributes.some((each) => /^max-age=0$/i.test(each))) jar.delete(key)
      else jar.set(key, { name, value, path })
    }
    return response
  }

  /** As a page that is open now would send it. */
  async function newPress(): Promise<string> {
    // With an external provider the profile may have no form; without a lender to choose, the choice has none.
    const onProfile = pressIn(await (await ask('/console/profile')).text())
    return onProfile || pressIn(await (await ask('/console/tenants')).text())
  }

  /** Follows redirects as long as they stay on the site. */
  async function visit(path: string, init: Init = {}): Promise<{ response: Response; url: URL; text: string }> {
    let url = new URL(path, origin)
    let response = await ask(url.href, init)
    for (let count = 0; count < REDIRECTS_MAX && response.headers.has('Location'); count++) {
      visited.push(response.headers.get('Location') ?? '')
      url = new URL(response.headers.get('Location') ?? '', url)
      if (url.origin !== origin) return { response, url, text: '' }
      response = await ask(url.href)
    }
    return { response, url, text: await response.text() }
  }

  return {
    jar,
    visited,
    setCookies,
    ask,
    visit,
    newPress,
    /** As the header of a request has them, whatever their paths. */
    cookies: () => [...jar.values()].map(({ name, value }) => `${name}=${value}`).join('; '),
    /** Signs in up to the page after the password. */
    async signIn(email: string, password: string, returnTo = '/v1/my/profile') {
      const page = await visit(`/v1/oauth/login?returnTo=${encodeURIComponent(returnTo)}`)
      return visit(page.url.pathname, { form: { email, password } })
    },
  }
}

/** The part of a page that is its own: without what is around it, and without the script. */
export function mainOf(page: string): string {
  return page.slice(page.indexOf('<main'), page.indexOf('</main>'))
}

/** The text of a console page, without its markup, its frame and the parts that only the script shows. */
export function wordsOf(page: string): string {
  return mainOf(page)
    .replace(/<button[^>]* hidden[\s\S]*?<\/button>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
}
