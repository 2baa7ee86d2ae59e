interface Cookie {
  name: string
  value: string
  path: string
  isSecure: boolean
}

export interface Page {
  url: URL
  status: number
  text: string
  headers: Headers
}

/** A browser's part that the tests need: it follows redirects, and keeps cookies by origin and path. */
export class Browser {
  readonly #jar = new Map<string, Cookie[]>()
  /** Addresses that it asked for, in order. */
  readonly visited: URL[] = []

  /** @param places where an origin really is: tests listen on other ports than they say */
  constructor(private readonly places: Readonly<Record<string, string>>) {}

  /** Opens an address. @param until ends before an address is asked for */
  async open(address: string | URL, until: (url: URL) => boolean = () => false, init: RequestInit = {}): Promise<Page> {
    let url = new URL(address)
    let next: RequestInit = init
    for (let hops = 0; hops < 20; hops++) {
      if (until(url)) return { url, status: 0, text: '', headers: new Headers() }
      const response = await this.ask(url, next)
      const location = response.headers.get('location')
      if (location === null || response.status < 300 || response.status > 399) {
        return { url, status: response.status, text: await response.text(), headers: response.headers }
      }
      await response.arrayBuffer()
      url = new URL(location, url)
      next = {}
    }
    throw new Error(`too many redirects: ${this.visited.slice(-5).join(' ')}`)
  }

  /** Asks for one address, without following. */
  async ask(url: URL, { headers, ...init }: RequestInit = {}): Promise<Response> {
    this.visited.push(url)
    const cookies = (this.#jar.get(url.origin) ?? []).filter(({ path }) => url.pathname.startsWith(path))
    const place = this.places[url.origin]
    const response = await fetch(place === undefined ? url : new URL(`${url.pathname}${url.search}`, place), {
      redirect: 'manual',
      ...init,
      headers: {
        accept: 'text/html',
        ...(cookies.length > 0 && { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }),
        ...(headers as Record<string, string> | undefined),
      },
    })
    for (const line of response.headers.getSetCookie()) this.keep(url, line)
    return response
  }

  cookies(origin: string): readonly Cookie[] {
    return this.#jar.get(origin) ?? []
  }

  /** Keeps a cookie as a `Set-Cookie` line has it. */
  keep(url: URL, line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
    const attribute = (wanted: string): string | undefined =>
      attributes.find((each) => each.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1)
    const path = attribute('path') ?? '/'
    const others = (this.#jar.get(url.origin) ?? []).filter((each) => each.name !== name || each.path !== path)
    const isGone = attribute('max-age') === '0' || Date.parse(attribute('expires') ?? '') < Date.now()
    const kept = { name, value, path, isSecure: attributes.includes('Secure') }
    this.#jar.set(url.origin, isGone ? others : [...others, kept])
  }
}
