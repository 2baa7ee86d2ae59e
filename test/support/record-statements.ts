import pg from 'pg'

/**
 * Records the text of every statement that this process sends from now on, on any pool and connection.
 * @param id only of those with this id among their values
 */
export function recordStatements(id = ''): { statements: string[]; stop(): void } {
  const statements: string[] = []
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const [first, second] = args as [string | { text?: string; values?: unknown[] }, unknown[]?]
    const { text, values } = typeof first === 'string' ? { text: first, values: second } : first
    if (text && (id === '' || JSON.stringify(values)?.includes(id))) statements.push(text)
    return query.apply(this, args)
  }
  return {
    statements,
    stop: () => {
      prototype.query = query
    },
  }
}
