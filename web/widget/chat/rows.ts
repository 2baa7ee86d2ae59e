/** The element that stands for a value in the document. */
export interface Row<Value> {
  element: Element
  update?(value: Value): void
  /** After it was taken away. */
  removed?(): void
}

/** Keeps an element's children as a list of values says. What stands stays: focus, selection and what is half filled in. */
export class Rows<Value> {
  #rows = new Map<string, Row<Value>>()

  constructor(
    private readonly parent: Element,
    private readonly keyOf: (value: Value) => string,
    private readonly make: (value: Value) => Row<Value>,
  ) {}

  show(values: readonly Value[]): void {
    const before = this.#rows
    this.#rows = new Map()
    for (const value of values) {
      const key = this.keyOf(value)
      const row = before.get(key) ?? this.make(value)
      row.update?.(value)
      before.delete(key)
      this.#rows.set(key, row)
    }
    arrange(
      this.parent,
      this.#rows.values().map(({ element }) => element),
    )
    for (const { removed } of before.values()) removed?.()
  }
}

/** Makes these the children of an element. What stays is not moved: it keeps its focus. */
export function arrange(parent: Element, wanted: Iterable<Element | false>): void {
  const children = new Set([...wanted].filter((each) => each !== false))
  for (const child of [...parent.children]) if (!children.has(child)) child.remove()
  let at = parent.firstElementChild
  for (const child of children) {
    if (child === at) at = at.nextElementSibling
    else parent.insertBefore(child, at)
  }
}
