import pg from 'pg'

/** Records the text of every statement that this process sends from now on, on any pool and connection. */
export function recordStatements(): { statements: string[]; stop(): void } {
  const statements: string[] = []
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const [first] = args as [string | { text?: string }]
    const text = typeof first === 'string' ? first : first.text
    if (text) statements.push(text)
    return query.apply(this, args)
  }
  return {
    statements,
    stop: () => {
      prototype.query = query
    },
  }
}
