import { BadUserInput } from '../errors.js'
import { parseText } from '../input.js'

const WORDS_CHARS_MAX = 200

/** A tenant condition over an alias, with its values pushed. */
export type TenantCondition = (alias: string) => string

/** How the rows of a table are searched; all of it is SQL of ours, `query` the SQL of a tsquery. */
export interface TextSearch {
  /** Ids of all rows that have the words, by the index. */
  all(query: string, tenant: TenantCondition): string
  /**
   * Ids, newest first, of those among the newest rows: they are read one by one, which for a common word is quicker
   * than all that the index has of it. The rows read are bounded.
   * @param beyond a condition over alias `t`, where the page begins
   */
  newest(query: string, tenant: TenantCondition, beyond: string): string
}

/** Rows read one by one for a page: about 5 ms. */
const NEWEST_ROWS = 500

/**
 * A table that is searched by a document of each row.
 * @param matches whether the row at an alias has the words, as its index has it
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
 * SQL of the tsquery for a client's words: all of them, in any order, whatever their case; `"a phrase"`, `or` and
 * `-without` as in web searches; the last one also finds longer words that begin with it.
 * @throws BadUserInput naming the field
 */
export function searchQuery(words: unknown, field: string, values: unknown[]): string {
  const text = parseText(words, field, { max: WORDS_CHARS_MAX }).trim()
  if (text === '') throw new BadUserInput(field, `${field} must name a word to search for`)
  return `search_query($${values.push(text)})`
}

/**
 * Whether the row at alias `t` is one of those found. As an array, which is made first: left to itself the planner, who
 * cannot know how many words begin with a text, would read its way through the whole table for a rare one (10 s against
 * 20 ms among 400,000 messages).
 */
export function isFoundSql(search: TextSearch, query: string, tenant: TenantCondition): string {
  return `t.id = any(array(${search.all(query, tenant)}))`
}
