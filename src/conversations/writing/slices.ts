/** The items in their order, at most so many together; no slice of none. */
export function slicesOf<Item>(items: readonly Item[], max: number): Item[][] {
  const slices: Item[][] = []
  for (let start = 0; start < items.length; start += max) slices.push(items.slice(start, start + max))
  return slices
}
