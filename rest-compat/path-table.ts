import type { Route } from './route.js'

/** Which methods each path of the rows takes. */
export class PathTable {
  readonly #paths: { pattern: RegExp; methods: Set<string> }[] = []

  constructor(routes: readonly Pick<Route, 'method' | 'path'>[]) {
    const byPath = Map.groupBy(routes, ({ path }) => path)
    for (const [path, rows] of byPath) {
      const methods = new Set<string>(rows.map(({ method }) => method))
      if (methods.has('GET')) methods.add('HEAD')
      this.#paths.push({ pattern: new RegExp(`^${path.replace(/:[A-Za-z]+/g, '[^/]+')}$`), methods })
    }
  }

  /** Null when no row has the path. */
  methodsOf(path: string): string[] | null {
    const methods = this.#paths.filter(({ pattern }) => pattern.test(path)).flatMap((known) => [...known.methods])
    return methods.length > 0 ? [...new Set(methods)] : null
  }
}
