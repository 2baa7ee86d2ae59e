/** Splits a list into slices of at most `max` items; an empty list gives no slice. */
export function slicesOf<Item>(items: readonly Item[], max: number): Item[][] {
  const slices: Item[][] = []
  for (let start = 0; start < items.length; start += max) slices.push(items.slice(start, start + max))
  return slices
}
