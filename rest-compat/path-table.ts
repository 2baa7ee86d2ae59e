export interface Endpoint {
  method: string
  /** With `:name` parameters. */
  path: string
}

/** The methods of each path. */
export class PathTable {
  readonly #paths: { pattern: RegExp; methods: string[] }[]

  constructor(endpoints: readonly Endpoint[]) {
    this.#paths = [...Map.groupBy(endpoints, ({ path }) => path)].map(([path, group]) => ({
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:[A-Za-z]+/g, '[^/]+')}$`),
      methods: group.map(({ method }) => method),
    }))
  }

  /** Returns null if no endpoint has the path. */
  methodsOf(path: string): string[] | null {
    const methods = this.#paths.filter(({ pattern }) => pattern.test(path)).flatMap((known) => known.methods)
    return methods.length > 0 ? [...new Set(methods)] : null
  }
}
