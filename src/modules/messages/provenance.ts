import { BadUserInput } from '../../platform/errors.js'
import { isAbsent, parseFields, parseList, parseText, pathOf } from '../../platform/input.js'
import { parseWebUrl } from './actions.js'

/** A bot's claim of what its answer was made of; nothing of it is checked. */
export interface Provenance {
  /** Name of the model, such as `opus-5`. */
  model: string | null
  /** Names of the tools that it used. */
  tools: string[]
  /** Texts that it refers to: consumers see these alone. */
  sources: Source[]
}

export interface Source {
  title: string
  /** An http or https address. */
  url: string | null
}

const LIMITS = { modelChars: 200, tools: 50, toolChars: 100, sources: 20, titleChars: 300, bytes: 8_192 }

/** Parses what a client sends; null if absent. @throws BadUserInput naming the field and the value */
export function parseProvenance(given: unknown, field: string): Provenance | null {
  if (isAbsent(given)) return null
  const { model, tools, sources } = parseFields(given, field, ['model', 'tools', 'sources'])
  const listOf = <Each>(
    list: unknown,
    name: string,
    max: number,
    parse: (each: unknown, at: string) => Each,
  ): Each[] => {
    const at = pathOf(field, name)
    return isAbsent(list) ? [] : parseList(list, at, max).map((each, index) => parse(each, `${at}[${index}]`))
  }
  const provenance: Provenance = {
    model: isAbsent(model) ? null : parseText(model, pathOf(field, 'model'), { min: 1, max: LIMITS.modelChars }),
    tools: listOf(tools, 'tools', LIMITS.tools, (each, at) => parseText(each, at, { min: 1, max: LIMITS.toolChars })),
    sources: listOf(sources, 'sources', LIMITS.sources, parseSource),
  }
  if (provenance.model === null && provenance.tools.length === 0 && provenance.sources.length === 0)
    throw new BadUserInput(field, `${field} must have a model, tools or sources`)
  const bytes = Buffer.byteLength(JSON.stringify(provenance))
  if (bytes <= LIMITS.bytes) return provenance
  throw new BadUserInput(field, `${field} has ${bytes} bytes as JSON; at most ${LIMITS.bytes} are allowed`)
}

function parseSource(given: unknown, field: string): Source {
  const { title, url } = parseFields(given, field, ['title', 'url'])
  return {
    title: parseText(title, pathOf(field, 'title'), { min: 1, max: LIMITS.titleChars }),
    url: isAbsent(url) ? null : parseWebUrl(url, pathOf(field, 'url')),
  }
}

/** Returns what a consumer sees of it: how the bot works is its operator's. */
export function provenanceForGuest(provenance: Provenance | null): Provenance | null {
  return provenance && provenance.sources.length > 0 ? { model: null, tools: [], sources: provenance.sources } : null
}
