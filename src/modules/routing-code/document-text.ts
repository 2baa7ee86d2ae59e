import { BadUserInput, Unprocessable } from '../../platform/errors.js'
import type { JsonObject, JsonValue } from '../../platform/json.js'
import type { DocumentThread, LocatedNode } from './document-thread.js'

/** In UTF-16 units; a request has less than 1 MiB. */
const CHARS_MAX = 1_000_000
/** Mistakes that are told; of others there is only the number. */
export const PROBLEMS_MAX = 50

/** A mistake in a document, and its place: both counted from 1. */
export interface Problem {
  line: number
  column: number
  /** Path of the value: `workflows[0].rules[1].event.params.channels[0]`. */
  field: string
  message: string
}

/** A document as values, with the places of them. */
export interface LocatedDocument {
  value: JsonValue
  /** Finds the place of a value, or of the nearest that encloses it. */
  locate(field: string): { line: number; column: number }
}

/**
 * Parses a document of plain YAML 1.2: maps with texts as keys, lists and scalars of the core schema. Aliases, with which a short text
 * stands for a long one or for itself, tags and merge keys are refused. @throws BadUserInput with the places
 */
export async function parseDocumentText(thread: DocumentThread, text: string): Promise<LocatedDocument> {
  if (text.length > CHARS_MAX) {
    const message = `the document has ${text.length} characters; at most ${CHARS_MAX} are allowed`
    throw documentRefusal([{ ...placesOf(text)(CHARS_MAX), field: 'document', message }])
  }
  const placeOf = placesOf(text)
  const parsed = await thread.parse(text)
  if ('mistakes' in parsed)
    throw documentRefusal(parsed.mistakes.map(({ offset, ...mistake }) => ({ ...placeOf(offset), ...mistake })))
  const { root } = parsed
  return { value: valueOf(root), locate: (field) => placeOf(offsetAt(root, field)) }
}

type Place = ReturnType<LocatedDocument['locate']>

/** Returns how to find the place of an offset in a text. */
function placesOf(text: string): (offset: number) => Place {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let [line, past] = [0, starts.length]
    while (past - line > 1) {
      const middle = (line + past) >> 1
      if (starts[middle]! <= offset) line = middle
      else past = middle
    }
    return { line: line + 1, column: offset - starts[line]! + 1 }
  }
}

function valueOf(node: LocatedNode): JsonValue {
  if (node.length === 2) return node[1]
  if (node[1] === 'list') return node[2].map(valueOf)
  return Object.fromEntries(node[2].map(([key, , value]) => [key, valueOf(value)]))
}

/** Finds the value of a path, or the last on the way to it. */
function offsetAt(root: LocatedNode, field: string): number {
  let [node, offset] = [root, root[0]]
  for (const [, name, index] of field.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (node.length === 2) break
    if (node[1] === 'list') {
      const item = index === undefined ? undefined : node[2][Number(index)]
      if (!item) break
      ;[node, offset] = [item, item[0]]
    } else {
      const member = node[2].find(([key]) => key === name)
      if (!member) break
      // Of a map or list under a key, the key is where people look.
      node = member[2]
      offset = node.length === 2 && node[1] !== null ? node[0] : member[1]
    }
  }
  return offset
}

/** Returns the refusal of a document with what is wrong in it. @param count number of mistakes, of which some may not be told */
export function documentRefusal(problems: readonly Problem[], count = problems.length): BadUserInput {
  const sorted = problems
    .toSorted((one, other) => one.line - other.line || one.column - other.column)
    .slice(0, PROBLEMS_MAX)
  const [first] = sorted
  const shown = sorted.slice(0, 5).map(({ line, column, message }) => `line ${line}, column ${column}: ${message}`)
  const more = count > shown.length ? `; and ${count - shown.length} more` : ''
  const { line, column, field } = first!
  return new BadUserInput(field, `${shown.join('; ')}${more}`, 'INVALID_VALUE', { line, column, problems: sorted })
}

/** JSON of a document has less than three times its characters: more is not even tried. */
const JSON_CHARS_MAX = 3 * CHARS_MAX

/**
 * Writes a document: the same value is always the same text.
 * @throws Unprocessable for one that could be neither planned nor applied, since it has more characters than a document may
 */
export async function writeDocumentText(thread: DocumentThread, value: JsonObject, comment: string): Promise<string> {
  const { length } = JSON.stringify(value)
  if (length > JSON_CHARS_MAX) throw tooLarge(`as JSON ${length}`)
  const written = await thread.write(value)
  if (written === null) throw tooLarge('so many')
  const text = `${comment.replaceAll(/^/gm, '# ')}\n${written}`
  if (text.length > CHARS_MAX) throw tooLarge(text.length)
  return text
}

function tooLarge(count: number | string): Unprocessable {
  return new Unprocessable(
    `the routing of the organization is too large for a document: it would have ${count} characters; at most ${CHARS_MAX} are allowed. Documents with some of its sections can be planned and applied`,
    { reason: 'TOO_LARGE' },
  )
}
