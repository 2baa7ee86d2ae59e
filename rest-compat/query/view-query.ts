import { BadUserInput, quoteValue } from '../../src/platform/errors.js'
import { nearestHint } from '../../src/platform/nearest-names.js'
import type { CompiledRecord } from '../compiled-record.js'
import { commaList, type Query } from './list-query.js'

/** The shown parts of a record. */
export interface View {
  /** The Boolean variables of the record's selection. */
  variables: Readonly<Record<string, boolean>>
  /** Top-level fields to show; null shows all. */
  select: ReadonlySet<string> | null
}

const NAMES_MAX = 50

/**
 * Reads `select` and `populate`, in addition to the default population. `id` is always shown; fields that are not
 * selected are not loaded either.
 * @throws BadUserInput naming what the record does not have
 */
export function readView(record: CompiledRecord, query: Query, populated: readonly string[] = []): View {
  if (query.select === undefined && query.populate === undefined && populated.length === 0) {
    return { variables: record.variables, select: null }
  }
  const select = readSelect(record, query)
  const variables: Record<string, boolean> = { ...record.variables }
  for (const path of [...populated, ...names(query, 'populate')]) {
    const along = record.populate.get(path)
    if (!along) throw unknownName('populate', path, 'a reference that can be populated', [...record.populate.keys()])
    if (!select || select.has(path.split('.')[0]!)) for (const variable of along) variables[variable] = true
  }
  if (select) {
    for (const [field, variable] of record.fields) if (variable && !select.has(field)) variables[variable] = false
  }
  return { variables, select }
}

function readSelect(record: CompiledRecord, query: Query): ReadonlySet<string> | null {
  const selected = names(query, 'select')
  if (selected.length === 0) return null
  for (const field of selected) {
    if (!record.fields.has(field)) throw unknownName('select', field, 'a field', [...record.fields.keys()])
  }
  return new Set(['id', ...selected])
}

function names(query: Query, parameter: string): string[] {
  const given = commaList(query, parameter)
  if (given.length > NAMES_MAX) throw new BadUserInput(parameter, `${parameter} has more than ${NAMES_MAX} names`)
  return given
}

function unknownName(parameter: string, name: string, what: string, known: readonly string[]): BadUserInput {
  const choice = known.length > 0 ? `known names: ${known.join(', ')}` : 'there is none'
  const hint = nearestHint(name, known)
  return new BadUserInput(parameter, `${parameter}: ${quoteValue(name)} is not ${what}${hint}; ${choice}`)
}

export function presentView(record: CompiledRecord, view: View, node: unknown): Record<string, unknown> {
  const shownFields = record.present(node as Record<string, unknown>)
  if (!view.select) return shownFields
  return Object.fromEntries(Object.entries(shownFields).filter(([name]) => view.select!.has(name)))
}
