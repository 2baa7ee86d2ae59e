import {
  defaultFieldResolver,
  getNamedType,
  getNullableType,
  isIntrospectionType,
  isListType,
  isObjectType,
  Kind,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql'
import type { Context } from '../../platform/context.js'
import { Unprocessable } from '../../platform/errors.js'
import { isPartOfRecord } from '../../platform/lists/part-of-record.js'

/** Values that one execution may return of lists within records: some tenths of a second of the event loop. */
const VALUES_MAX = 500_000

/**
 * Has lists within records count the values that are selected of them. Such lists come with their record and cost nothing to
 * load, so that only their length says what returning them takes, above all under many aliases. Beyond the limit they
 * are empty, and {@link checkParts} refuses the answer.
 */
export function limitParts(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue
    for (const field of Object.values(type.getFields())) {
      if (!isListType(getNullableType(field.type)) || !isPartOfRecord(getNamedType(field.type))) continue
      const resolve = field.resolve ?? defaultFieldResolver
      field.resolve = (root, args, ctx: Context, info) => {
        const value: unknown = resolve(root, args, ctx, info)
        return value instanceof Promise ? value.then((each) => counted(ctx, each, info)) : counted(ctx, value, info)
      }
    }
  }
}

/** @throws Unprocessable when the execution that just ended returned too much of lists within records */
export function checkParts({ partValues }: Context): void {
  if (partValues <= VALUES_MAX) return
  throw new Unprocessable(`the answer has more than ${VALUES_MAX} values in lists within its records: ask for fewer`, {
    reason: 'ANSWER_TOO_LARGE',
  })
}

function counted(ctx: Context, value: unknown, info: GraphQLResolveInfo): unknown {
  if (!Array.isArray(value) || value.length === 0) return value
  if (ctx.partValues <= VALUES_MAX) ctx.partValues += value.length * selectedOf(info)
  return ctx.partValues <= VALUES_MAX ? value : []
}

const widths = new WeakMap<SelectionSetNode, number>()

/** Number of fields that are selected of each element, those of fragments included. */
function selectedOf({ fieldNodes, fragments }: GraphQLResolveInfo): number {
  const widthOf = (set: SelectionSetNode): number => {
    let width = widths.get(set)
    if (width === undefined) {
      width = set.selections.reduce((sum, node) => {
        if (node.kind === Kind.FIELD) return sum + 1
        return sum + widthOf((node.kind === Kind.INLINE_FRAGMENT ? node : fragments[node.name.value]!).selectionSet)
      }, 1)
      widths.set(set, width)
    }
    return width
  }
  return fieldNodes.reduce((sum, { selectionSet }) => sum + (selectionSet ? widthOf(selectionSet) : 0), 0)
}
