import { BREAK, Kind, visit, type ASTNode, type DocumentNode } from 'graphql'

/**
 * Finds the path of a value that is written in a document, as of one in a variable: `filter.createdAt.gt`. Undefined for
 * what is not in an argument.
 */
export function inputPathOf(document: DocumentNode, value: ASTNode): string | undefined {
  let path: string | undefined
  visit(document, {
    enter(node, _key, parent, _path, ancestors) {
      if (node !== value) return undefined
      // The ancestors are those of the parent.
      const line = [...ancestors, parent, node]
      for (const [index, each] of line.entries()) {
        if (isNode(each) && each.kind === Kind.ARGUMENT) path = each.name.value
        if (path === undefined) continue
        if (isNode(each) && each.kind === Kind.OBJECT_FIELD) path += `.${each.name.value}`
        const before = line[index - 1]
        if (Array.isArray(before) && isList(line[index - 2])) path += `[${before.indexOf(each)}]`
      }
      return BREAK
    },
  })
  return path
}

function isNode(each: unknown): each is ASTNode {
  return typeof each === 'object' && each !== null && 'kind' in each
}

function isList(each: unknown): boolean {
  return isNode(each) && each.kind === Kind.LIST
}
