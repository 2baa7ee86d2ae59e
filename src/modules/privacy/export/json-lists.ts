/** Writes a list as JSON, an element at a time. */
export async function* jsonList(items: AsyncIterable<object>): AsyncGenerator<string> {
  let count = 0
  for await (const item of items) yield `${count++ === 0 ? '[' : ','}\n${JSON.stringify(item)}`
  yield count === 0 ? '[]\n' : '\n]\n'
}

/** Writes an object as JSON whose last member is a list. */
export async function* jsonWithList(head: object, name: string, items: AsyncIterable<object>): AsyncGenerator<string> {
  yield `${JSON.stringify(head, null, 2).replace(/\n\}$/, ',')}\n  ${JSON.stringify(name)}: `
  yield* jsonList(items)
  yield '}\n'
}
