import type { SpanAttributes, TracedConnection, TracedStatement } from './tracing.js'

/**
 * The verb, and the table where it can be told without reading the statement: nothing behind a quote is looked at, since the
 * ORM writes values into its statements.
 */
const SUMMARY = /^\s*(?:(insert\s+into|update|delete\s+from)\s+|(select)\b[^'$]*?\bfrom\s+|([a-z]{1,20})\b)/i
const TABLE = /^(?:only\s+)?(?:"?[a-z_]\w*"?\.)?"?([a-z_]\w{0,62})"?(?![\w"'(.])/i
/** Statements that our code composes have numbers for names. */
const MADE = /^made-\d+$/

/** Summary of a statement for its span: never its text, which may contain values. */
export function summaryOf(
  { text, name }: TracedStatement,
  { host, port, database }: TracedConnection,
): { name: string; attributes: SpanAttributes } {
  const found = SUMMARY.exec(text)
  const verb = found?.slice(1).find(Boolean)?.split(/\s/, 1)[0]?.toLowerCase() ?? 'statement'
  const table = found && found[3] === undefined ? TABLE.exec(text.slice(found[0].length))?.[1] : undefined
  const isNamed = name !== undefined && name !== '' && !MADE.test(name)
  return {
    name: isNamed ? name : table === undefined ? verb : `${verb} ${table}`,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': verb,
      ...(table !== undefined && { 'db.collection.name': table }),
      ...(isNamed && { 'switchboard.statement': name }),
      ...(database !== undefined && { 'db.namespace': database }),
      'server.address': host,
      'server.port': port,
    },
  }
}
