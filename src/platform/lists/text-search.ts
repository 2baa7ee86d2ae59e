import { BadUserInput } from '../errors.js'
import { parseText } from '../input.js'

const WORDS_CHARS_MAX = 200

/** Builds a tenant condition over an alias, and pushes its values. */
export type TenantCondition = (alias: string) => string

/** Searches the rows of a table; builds SQL without client input, where `query` is the SQL of a tsquery. */
export interface TextSearch {
  /** Selects the ids of all matching rows, by the index. */
  all(query: string, tenant: TenantCondition): string
  /**
   * Selects matching ids among the newest rows, newest first: reading those one by one is faster for a common word than
   * reading all its index entries. The number of rows read is limited.
   * @param beyond a condition over alias `t` for where the page begins
   */
  newest(query: string, tenant: TenantCondition, beyond: string): string
  /** The search for callers who see no contacts, if it finds rows by those. */
  withoutContacts?: TextSearch
}

/** Returns the search that a caller may make: who sees no contacts finds nothing by them. */
export const searchFor = (search: TextSearch, { hidesContacts }: { hidesContacts: boolean }): TextSearch =>
  (hidesContacts && search.withoutContacts) || search

/** Rows read one by one for a page: about 5 ms. */
const NEWEST_ROWS = 500

/**
 * Creates the search of a table by a document per row.
 * @param matches builds the condition that the row at an alias matches, in the form of the index
 */
export function rowSearch(table: string, matches: (alias: string, query: string) => string): TextSearch {
  return {
    all: (query, tenant) => `select s.id from ${table} s where ${tenant('s')} and ${matches('s', query)}`,
    newest: (query, tenant, beyond) =>
      `select n.id from (
         select t.* from ${table} t where ${tenant('t')} and ${beyond} order by t.id desc limit ${NEWEST_ROWS}) n
       where ${matches('n', query)} order by n.id desc`,
  }
}

/**
 * Builds the SQL of the tsquery for a client's words: all of them, in any order and case; `"a phrase"`, `or` and
 * `-without` as in web searches; the last word also matches longer words that begin with it.
 * @throws BadUserInput naming the field
 */
export function searchQuery(words: unknown, field: string, values: unknown[]): string {
  const text = parseText(words, field, { max: WORDS_CHARS_MAX }).trim()
  if (text === '') throw new BadUserInput(field, `${field} must contain a word to search for`)
  return `search_query($${values.push(text)})`
}

/**
 * Builds the condition that the row at alias `t` matches. Uses an array, which is computed first: the planner cannot
 * know how many words begin with a text and would otherwise scan the whole table for a rare one (10 s against 20 ms
 * among 400,000 messages).
 */
export function isFoundSql(search: TextSearch, query: string, tenant: TenantCondition): string {
  return `t.id = any(array(${search.all(query, tenant)}))`
}
