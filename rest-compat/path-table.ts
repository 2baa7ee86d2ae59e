import { distanceOf } from '../src/platform/nearest-names.js'

/** A path that differs by more letters is another. */
const DISTANCE_MAX = 2
const SEGMENT_CHARS_MAX = 60

export interface Endpoint {
  method: string
  /** With `:name` parameters. */
  path: string
}

/** The methods of each path. */
export class PathTable {
  readonly #paths: { pattern: RegExp; methods: string[] }[]

  readonly #segments: string[][]

  constructor(endpoints: readonly Endpoint[]) {
    this.#paths = [...Map.groupBy(endpoints, ({ path }) => path)].map(([path, group]) => ({
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:[A-Za-z]+/g, '[^/]+')}$`),
      methods: group.map(({ method }) => method),
    }))
    this.#segments = [...new Set(endpoints.map(({ path }) => path))].map((path) => path.split('/'))
  }

  /** Returns the path below a known collection that is most like this one, with its parameters; null if none is near. */
  nearestTo(path: string): string | null {
    const given = path.split('/')
    if (given.length < 4 || given.at(-1) === '' || given.some(({ length }) => length > SEGMENT_CHARS_MAX)) return null
    let nearest: string | null = null
    let least = DISTANCE_MAX + 1
    for (const segments of this.#segments) {
      if (segments.length !== given.length || segments[2] !== given[2]) continue
      const distance = segments.reduce(
        (sum, segment, index) => sum + (segment.startsWith(':') ? 0 : distanceOf(given[index]!, segment)),
        0,
      )
      if (distance > 0 && distance < least) [nearest, least] = [segments.join('/'), distance]
    }
    return nearest
  }

  /** Returns null if no endpoint has the path. */
  methodsOf(path: string): string[] | null {
    const methods = this.#paths.filter(({ pattern }) => pattern.test(path)).flatMap((known) => known.methods)
    return methods.length > 0 ? [...new Set(methods)] : null
  }
}
