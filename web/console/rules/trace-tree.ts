import type { ConditionFragment } from '../../generated/beside.js'

/** A condition with what it saw, as a tree like the rule's. */
export type TraceNode =
  | { all: TraceNode[]; result: boolean }
  | { any: TraceNode[]; result: boolean }
  | {
      fact: string
      path: string
      operator: string
      value: unknown
      /** Absent when nothing was found. */
      factValue?: unknown
      result: boolean
    }

/** The tree of a trace, which lists each condition before those below it. */
export function treeOf([root, ...below]: readonly ConditionFragment[]): TraceNode | null {
  if (!root) return null
  if (root.kind === 'LEAF') {
    const { fact, path, operator, value, isFound, factValue, result } = root
    const leaf = { fact: fact ?? '', path: path ?? '', operator: operator ?? '', value, result }
    return isFound ? { ...leaf, factValue } : leaf
  }
  const starts = below.flatMap(({ depth }, index) => (depth === root.depth + 1 ? [index] : []))
  const members = starts.flatMap((start, index) => treeOf(below.slice(start, starts[index + 1])) ?? [])
  return root.kind === 'ALL' ? { all: members, result: root.result } : { any: members, result: root.result }
}

export function membersOf(node: TraceNode): readonly TraceNode[] {
  return 'all' in node ? node.all : 'any' in node ? node.any : []
}
